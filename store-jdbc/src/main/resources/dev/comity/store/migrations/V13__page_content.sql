-- The number is reserved for the content of pages.
DROP TABLE IF EXISTS reserved;
