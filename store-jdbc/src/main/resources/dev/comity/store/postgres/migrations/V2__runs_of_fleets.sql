-- The settings of a run, which a worker that joins it takes over; NULL until the run is ready to be joined.
ALTER TABLE crawl_runs ADD COLUMN settings TEXT;
