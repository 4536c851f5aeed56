-- The shortest time between two requests that a run's settings ask for, where a domain has none of its own.
ALTER TABLE crawl_runs ADD COLUMN minimum_interval_ms BIGINT;
