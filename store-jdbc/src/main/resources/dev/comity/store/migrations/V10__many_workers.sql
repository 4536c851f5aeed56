-- The worker that held a domain last. Another one waits a full delay before its first request.
ALTER TABLE domains ADD COLUMN last_worker TEXT;

-- Pages of the budget that workers have drawn, settled or not.
ALTER TABLE crawl_runs ADD COLUMN allotted BIGINT NOT NULL DEFAULT 0;
UPDATE crawl_runs SET allotted = max(pages, unkept);
