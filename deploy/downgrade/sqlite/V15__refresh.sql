-- From version 15 of the tables to version 14. Dates of next visits and what visits have shown are lost.
.bail on
BEGIN IMMEDIATE;
CREATE TEMP TABLE required (
  version CONSTRAINT "the tables are not of version 15" CHECK (version = 15),
  workers CONSTRAINT "a crawl runs, or was killed: begin one and stop it" CHECK (workers = 0));
INSERT INTO required SELECT (SELECT max(CAST(version AS INTEGER)) FROM flyway_schema_history),
  (SELECT count(*) FROM workers WHERE ended_at IS NULL);
DROP TABLE required;

DROP INDEX frontier_hinted;
UPDATE domain_frontier SET due_at = NULL WHERE state = 1 AND due_at IS NOT NULL;
UPDATE domains SET next_crawl_after = NULL, version = version + 1
  WHERE status = 'exhausted' AND next_crawl_after IS NOT NULL;
ALTER TABLE domain_frontier DROP COLUMN visited_at;
ALTER TABLE domain_frontier DROP COLUMN fingerprint;
ALTER TABLE domain_frontier DROP COLUMN changes;
ALTER TABLE domain_frontier DROP COLUMN missing_since;
ALTER TABLE domain_frontier DROP COLUMN due_why;
ALTER TABLE domain_frontier DROP COLUMN hint;
ALTER TABLE domains DROP COLUMN refresh_state;
ALTER TABLE crawl_runs DROP COLUMN refresh;

DELETE FROM flyway_schema_history WHERE version = '15';
COMMIT;
