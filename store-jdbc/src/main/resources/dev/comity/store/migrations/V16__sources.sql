-- Sources have a pace of their own.

-- The newest start of the log, kept when the log is pruned; or a turn that was taken and is not in the log yet.
ALTER TABLE sources ADD COLUMN last_start_at BIGINT;
UPDATE sources SET last_start_at = (SELECT max(started_at) FROM crawl_log WHERE source_id = sources.id);

CREATE INDEX frontier_sources ON domain_frontier (source_id, domain_id) WHERE source_id IS NOT NULL;
