package dev.comity.core.port.queue;

/**
 * Where queues lie that are not in their store.
 *
 * @param address the server, without a password
 * @param namespace what the keys of this store's queues begin with
 */
public record QueueHome(String address, String namespace) {}
