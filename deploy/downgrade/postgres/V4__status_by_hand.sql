-- From version 4 of the tables to version 3. Nothing is lost.
\set ON_ERROR_STOP on
BEGIN;
SET LOCAL client_min_messages = warning;
DO $$
BEGIN
  PERFORM pg_advisory_xact_lock(74145856058489);
  IF (SELECT max(version::int) FROM flyway_schema_history WHERE success) <> 4 THEN
    RAISE EXCEPTION 'the tables are not of version 4: run the script of their version first';
  END IF;
  IF EXISTS (SELECT 1 FROM workers w WHERE w.ended_at IS NULL AND (w.last_seen_at > comity_millis() - 60000
      OR EXISTS (SELECT 1 FROM domains d WHERE d.claimed_by = w.id AND d.claim_expires_at > comity_millis()))) THEN
    RAISE EXCEPTION 'workers are at work: end them with comity drain WORKER';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION domains_status_by_hand() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'a status is not written by hand: % cannot become %', OLD.status, NEW.status
      USING HINT = 'pending resets a domain: UPDATE domains SET status = ''pending'' WHERE domain = …';
  END IF;
  INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, at)
    VALUES (NEW.id, NEW.claim_token, OLD.status, 'pending', 'reset', 'its status was written by hand', comity_millis());
  INSERT INTO audit (at, actor, action, subject, reason)
    VALUES (comity_millis(), 'sql', 'domain-reset', NEW.domain, 'its status was written by hand');
  DELETE FROM in_flight WHERE domain_id = NEW.id;
  NEW.reset_by_hand := 1;
  NEW.unclean := CASE WHEN OLD.claimed_by IS NOT NULL THEN 1 ELSE NEW.unclean END;
  NEW.claimed_by := NULL;
  NEW.claim_expires_at := NULL;
  NEW.claimable_at := NULL;
  NEW.block_reason := NULL;
  NEW.block_reason_code := NULL;
  NEW.next_crawl_after := NULL;
  NEW.cooldown_count := 0;
  NEW.version := NEW.version + 1;
  RETURN NEW;
END $$;

DELETE FROM flyway_schema_history WHERE version = '4';
COMMIT;
