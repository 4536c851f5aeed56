-- The number is reserved for images.
DROP TABLE IF EXISTS reserved;
