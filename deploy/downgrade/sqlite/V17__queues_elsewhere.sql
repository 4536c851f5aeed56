-- From version 17 of the tables to version 16. Refused while URLs wait in Redis: comity frontier move --to store.
.bail on
BEGIN IMMEDIATE;
CREATE TEMP TABLE required (
  version CONSTRAINT "the tables are not of version 17" CHECK (version = 17),
  workers CONSTRAINT "a crawl runs, or was killed: begin one and stop it" CHECK (workers = 0),
  queues CONSTRAINT "URLs wait in Redis: comity frontier move --to store" CHECK (queues = 0));
INSERT INTO required SELECT (SELECT max(CAST(version AS INTEGER)) FROM flyway_schema_history),
  (SELECT count(*) FROM workers WHERE ended_at IS NULL),
  (SELECT count(*) FROM domains WHERE frontier_elsewhere <> 0);
DROP TABLE required;

DROP TABLE queue_home;
ALTER TABLE domains DROP COLUMN frontier_elsewhere;

DELETE FROM flyway_schema_history WHERE version = '17';
COMMIT;
