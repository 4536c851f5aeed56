package dev.comity.store.doctor;

/**
 * Something that cannot be if all is well.
 *
 * @param subject the domain or run it is about; empty for the database as a whole
 * @param words the values that contradict each other
 * @param fix what to do about it
 */
public record Finding(String subject, String words, String fix) {}
