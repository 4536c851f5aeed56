-- A page is an answer of a type that is kept; an error is a page request that the site refused, broke or left without
-- an answer. What was counted otherwise is counted again, as far as the log still has it.

-- URLs of a type that is not kept, by their answer or by their ending.
ALTER TABLE domains ADD COLUMN urls_skipped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE arrivals ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;
-- Answers that were not kept; as many are allowed as pages.
ALTER TABLE jobs ADD COLUMN unkept BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crawl_runs ADD COLUMN unkept BIGINT NOT NULL DEFAULT 0;
-- Requests for pages, the first and those after it: errors are among them.
ALTER TABLE domains ADD COLUMN page_requests BIGINT NOT NULL DEFAULT 0;
ALTER TABLE domains ADD COLUMN pruned_page_requests BIGINT NOT NULL DEFAULT 0;

UPDATE jobs SET pages = pages - f.n, unkept = f.n
  FROM (SELECT run_id, domain_id, count(*) AS n FROM crawl_log WHERE is_page = 1 AND fate = 'failed'
    GROUP BY run_id, domain_id) f
  WHERE jobs.run_id = f.run_id AND jobs.domain_id = f.domain_id;
UPDATE crawl_runs SET pages = pages - j.n, unkept = j.n
  FROM (SELECT run_id, sum(unkept) AS n FROM jobs GROUP BY run_id) j
  WHERE crawl_runs.id = j.run_id AND j.n > 0;
UPDATE crawl_log SET is_page = 0 WHERE is_page = 1 AND fate = 'failed';
UPDATE crawl_log SET is_error = CASE WHEN kind = 'page' AND outcome IN ('forbidden', 'server_error', 'login_required',
    'challenge', 'timeout', 'connection_failed', 'tls_failure', 'dns_failure') THEN 1 ELSE 0 END;

-- Of what was pruned only the number of requests is known, and errors that were counted otherwise.
UPDATE domains SET pruned_errors = 0, pruned_page_requests = pruned_requests, page_requests = pruned_requests,
  total_error_count = 0, pages_crawled = 0;
UPDATE domains SET page_requests = page_requests + l.requests, total_error_count = l.errors
  FROM (SELECT domain_id, count(*) AS requests, sum(is_error) AS errors FROM crawl_log WHERE kind = 'page'
    GROUP BY domain_id) l
  WHERE domains.id = l.domain_id;
-- A URL that was asked in several runs is one page.
UPDATE domains SET pages_crawled = p.n
  FROM (SELECT domain_id, count(DISTINCT url_id) AS n FROM pages GROUP BY domain_id) p
  WHERE domains.id = p.domain_id;

ALTER TABLE domains DROP COLUMN error_rate;
ALTER TABLE domains ADD COLUMN error_rate DOUBLE PRECISION GENERATED ALWAYS AS
  (CASE WHEN page_requests > 0 THEN CAST(total_error_count AS DOUBLE PRECISION) / page_requests END) VIRTUAL;

-- A frontier's state 6 is skipped.
DROP VIEW urls;
CREATE VIEW urls AS
  SELECT f.id, d.domain, a.authority || f.target AS url,
    CASE f.state WHEN 0 THEN CASE WHEN f.due_at IS NULL THEN 'queued' ELSE 'deferred' END
      WHEN 1 THEN 'done' WHEN 2 THEN 'failed' WHEN 3 THEN 'denied' WHEN 4 THEN 'set_aside'
      WHEN 5 THEN 'suppressed' ELSE 'skipped' END AS state,
    f.depth, f.hops, f.asked, f.tries_spent, f.due_at, f.discovered_at, f.referrer_id, f.domain_id
  FROM domain_frontier f
  JOIN domains d ON d.id = f.domain_id
  JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no;

-- Where an answer redirects to.
ALTER TABLE pages ADD COLUMN location TEXT;

-- Domains that the redirects of a run's seeds lead to; 1 where they end there, so that the run starts from it as well.
CREATE TABLE crawl_run_moves (
  run_id    BIGINT NOT NULL REFERENCES crawl_runs (id) ON DELETE CASCADE,
  domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  ended     INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run_id, domain_id)
);
