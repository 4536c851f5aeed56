-- From version 16 of the tables to version 15. The last starts of sources stay in the log alone.
.bail on
BEGIN IMMEDIATE;
CREATE TEMP TABLE required (
  version CONSTRAINT "the tables are not of version 16" CHECK (version = 16),
  workers CONSTRAINT "a crawl runs, or was killed: begin one and stop it" CHECK (workers = 0));
INSERT INTO required SELECT (SELECT max(CAST(version AS INTEGER)) FROM flyway_schema_history),
  (SELECT count(*) FROM workers WHERE ended_at IS NULL);
DROP TABLE required;

DROP INDEX frontier_sources;
ALTER TABLE sources DROP COLUMN last_start_at;

DELETE FROM flyway_schema_history WHERE version = '16';
COMMIT;
