-- From version 5 of the tables to version 4. Refused while URLs wait in Redis: comity frontier move --to store.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL client_min_messages = warning;
DO $$
BEGIN
  PERFORM pg_advisory_xact_lock(74145856058489);
  IF (SELECT max(version::int) FROM flyway_schema_history WHERE success) <> 5 THEN
    RAISE EXCEPTION 'the tables are not of version 5: run the script of their version first';
  END IF;
  IF EXISTS (SELECT 1 FROM workers w WHERE w.ended_at IS NULL AND (w.last_seen_at > comity_millis() - 60000
      OR EXISTS (SELECT 1 FROM domains d WHERE d.claimed_by = w.id AND d.claim_expires_at > comity_millis()))) THEN
    RAISE EXCEPTION 'workers are at work: end them with comity drain WORKER';
  END IF;
  IF EXISTS (SELECT 1 FROM domains WHERE frontier_elsewhere <> 0) THEN
    RAISE EXCEPTION 'URLs wait in Redis: comity frontier move --to store';
  END IF;
END $$;

DROP TABLE queue_home;
ALTER TABLE domains DROP COLUMN frontier_elsewhere;

DELETE FROM flyway_schema_history WHERE version = '5';
COMMIT;
