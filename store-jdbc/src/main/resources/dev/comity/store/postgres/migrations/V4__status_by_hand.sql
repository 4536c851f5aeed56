-- As before, and the refusal names the commands.
CREATE OR REPLACE FUNCTION domains_status_by_hand() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'a status is not written by hand: % cannot become %; use comity domain-reset NAME or comity domain-block NAME --reason TEXT', OLD.status, NEW.status
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
