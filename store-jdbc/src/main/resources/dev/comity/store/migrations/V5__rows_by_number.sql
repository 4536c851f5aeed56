-- These rows are found by a number that is their own: SQLite then keeps them in its order and needs no index beside.

CREATE TABLE pages_by_number (
  id            ${serial},
  run_id        BIGINT NOT NULL,
  url_id        BIGINT NOT NULL,
  domain_id     BIGINT NOT NULL,
  status        INTEGER NOT NULL,
  title         TEXT,
  content_type  TEXT,
  headers       TEXT,
  content_hash  BLOB,
  bytes         BIGINT NOT NULL,
  started_at    BIGINT NOT NULL,
  first_byte_ms INTEGER,
  total_ms      INTEGER NOT NULL,
  text          TEXT,
  html          BLOB
);
INSERT INTO pages_by_number (id, run_id, url_id, domain_id, status, title, content_type, headers, content_hash, bytes,
    started_at, first_byte_ms, total_ms, text, html)
  SELECT id, run_id, url_id, domain_id, status, title, content_type, headers, content_hash, bytes,
    started_at, first_byte_ms, total_ms, text, html FROM pages ORDER BY id;
DROP TABLE pages;
ALTER TABLE pages_by_number RENAME TO pages;
CREATE UNIQUE INDEX pages_url ON pages (url_id, run_id);

-- Written and deleted with every page. Each domain that is given back asks for its own, and thousands may be at once.
CREATE TABLE in_flight_by_number (
  url_id     ${serial},
  domain_id  BIGINT NOT NULL,
  taken      INTEGER NOT NULL DEFAULT 1,
  deaths     INTEGER NOT NULL DEFAULT 0,
  taken_at   BIGINT NOT NULL
);
INSERT INTO in_flight_by_number (url_id, domain_id, taken, deaths, taken_at)
  SELECT url_id, domain_id, taken, deaths, taken_at FROM in_flight;
DROP TABLE in_flight;
ALTER TABLE in_flight_by_number RENAME TO in_flight;
CREATE INDEX in_flight_domain ON in_flight (domain_id);
