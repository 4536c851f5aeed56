-- Why a domain is set aside: something stored of it cannot be read. It is not claimed until a reset has mended it.
ALTER TABLE domains ADD COLUMN damage TEXT;
CREATE INDEX domains_damaged ON domains (domain) WHERE damage IS NOT NULL;

-- 1 where status = 'pending' was written by hand. The next crawl carries the reset out.
ALTER TABLE domains ADD COLUMN reset_by_hand INTEGER NOT NULL DEFAULT 0;
CREATE INDEX domains_reset_by_hand ON domains (id) WHERE reset_by_hand = 1;

-- Every write of the program changes the version, a write by hand does not.
CREATE TRIGGER domains_status_refused BEFORE UPDATE OF status ON domains
WHEN NEW.version IS OLD.version AND NEW.status IS NOT 'pending'
BEGIN
  SELECT RAISE(ABORT, 'a status is not written by hand: use comity domain-reset NAME or comity domain-block NAME --reason TEXT');
END;

CREATE TRIGGER domains_status_reset AFTER UPDATE OF status ON domains
WHEN NEW.version IS OLD.version AND NEW.status IS 'pending'
BEGIN
  INSERT INTO transitions (domain_id, token, from_status, to_status, door, reason, at)
    VALUES (NEW.id, NEW.claim_token, OLD.status, 'pending', 'reset', 'its status was written by hand',
      CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
  INSERT INTO audit (at, actor, action, subject, reason)
    VALUES (CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER), 'sql', 'domain-reset', NEW.domain,
      'its status was written by hand');
  DELETE FROM in_flight WHERE domain_id = NEW.id AND deaths = 0;
  UPDATE in_flight SET taken = 0 WHERE domain_id = NEW.id;
  UPDATE domains SET reset_by_hand = 1, unclean = max(unclean, claimed_by IS NOT NULL), claimed_by = NULL,
    claim_expires_at = NULL, claimable_at = NULL, block_reason = NULL, block_reason_code = NULL,
    next_crawl_after = NULL, cooldown_count = 0, version = version + 1
    WHERE id = NEW.id;
END;
