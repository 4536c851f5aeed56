-- Kept when asked for. The body in html is a frame of zstd or a stream of zlib; charset says how its bytes are read.
ALTER TABLE pages ADD COLUMN charset TEXT;
-- 1 where the body is no HTML.
ALTER TABLE pages ADD COLUMN document INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pages ADD COLUMN markdown TEXT;
-- {"name": ["value", ...]}: what the user's selectors found.
ALTER TABLE pages ADD COLUMN fields TEXT;
-- [["url", "text", "rel"], ...]
ALTER TABLE pages ADD COLUMN links TEXT;
ALTER TABLE pages ADD COLUMN language TEXT;
ALTER TABLE pages ADD COLUMN description TEXT;
ALTER TABLE pages ADD COLUMN canonical TEXT;
