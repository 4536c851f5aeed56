-- From version 2 of the tables to version 1. Workers join a run again when crawl --db has gone on with it.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL client_min_messages = warning;
DO $$
BEGIN
  PERFORM pg_advisory_xact_lock(74145856058489);
  IF (SELECT max(version::int) FROM flyway_schema_history WHERE success) <> 2 THEN
    RAISE EXCEPTION 'the tables are not of version 2: run the script of their version first';
  END IF;
  IF EXISTS (SELECT 1 FROM workers w WHERE w.ended_at IS NULL AND (w.last_seen_at > comity_millis() - 60000
      OR EXISTS (SELECT 1 FROM domains d WHERE d.claimed_by = w.id AND d.claim_expires_at > comity_millis()))) THEN
    RAISE EXCEPTION 'workers are at work: end them with comity drain WORKER';
  END IF;
END $$;

ALTER TABLE crawl_runs DROP COLUMN settings;

DELETE FROM flyway_schema_history WHERE version = '2';
COMMIT;
