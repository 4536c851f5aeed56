-- What Comity remembers. Times are milliseconds since 1970-01-01 UTC; delays say their unit in their name.
-- ${serial} is the only word in which databases differ.

-- ---------------------------------------------------------------------------------------------------------------------
-- Runs and who works on them

CREATE TABLE crawl_runs (
  id                   ${serial},
  -- running, finished, failed, superseded
  status               TEXT NOT NULL DEFAULT 'running',
  -- What makes two crawls the same run: seeds, scope and budgets.
  terms                TEXT NOT NULL,
  max_pages            BIGINT NOT NULL,
  max_pages_per_domain BIGINT NOT NULL,
  pages                BIGINT NOT NULL DEFAULT 0,
  -- How many processes have worked on it, one after the other.
  lives                INTEGER NOT NULL DEFAULT 1,
  started_at           BIGINT NOT NULL,
  resumed_at           BIGINT,
  ended_at             BIGINT,
  end_reason           TEXT
);
CREATE INDEX crawl_runs_open ON crawl_runs (id) WHERE status = 'running';

CREATE TABLE crawl_run_seeds (
  run_id   BIGINT NOT NULL REFERENCES crawl_runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  url      TEXT NOT NULL,
  PRIMARY KEY (run_id, position)
);

CREATE TABLE workers (
  -- A name and a fresh id at every start.
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  version      TEXT NOT NULL,
  flags        TEXT NOT NULL DEFAULT '',
  started_at   BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  ended_at     BIGINT,
  -- 1 where it never said goodbye.
  unclean      INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX workers_live ON workers (last_seen_at) WHERE ended_at IS NULL;

-- ---------------------------------------------------------------------------------------------------------------------
-- Sources and domains

CREATE TABLE sources (
  id                  ${serial},
  name                TEXT NOT NULL UNIQUE,
  -- Seconds between two requests for its URLs; none set: the global one, 0 or less: no minimum.
  min_scrape_interval DOUBLE PRECISION,
  created_at          BIGINT NOT NULL
);

CREATE TABLE domains (
  id                           ${serial},
  domain                       TEXT NOT NULL UNIQUE,
  parent_domain                TEXT NOT NULL,

  -- Where it stands.
  status                       TEXT NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'active', 'exhausted', 'blocked', 'unreachable')),
  block_reason                 TEXT,
  block_reason_code            TEXT,
  first_blocked_at             BIGINT,
  -- When a cooldown or the time to a refresh ends.
  next_crawl_after             BIGINT,
  cooldown_count               INTEGER NOT NULL DEFAULT 0,

  -- Who holds it. The token grows with each claim and fences every write of its holder; the version grows with every
  -- write of anybody.
  claimed_by                   TEXT,
  claim_expires_at             BIGINT,
  claim_token                  BIGINT NOT NULL DEFAULT 0,
  version                      BIGINT NOT NULL DEFAULT 0,
  -- 1 where the last holder did not give it back: requests may have started that nobody recorded.
  unclean                      INTEGER NOT NULL DEFAULT 0,

  -- When it may be claimed as far as work, rests and the run go: 0 now, a time later, NULL not at all.
  claimable_at                 BIGINT DEFAULT 0,
  -- Among those that may be: 0 healthy and active, 1 pending, 2 recovering.
  claim_class                  INTEGER NOT NULL DEFAULT 1,
  -- The run that has had what it may have of it.
  spent_run_id                 BIGINT,

  -- What was done, over all runs.
  pages_discovered             BIGINT NOT NULL DEFAULT 0,
  pages_crawled                BIGINT NOT NULL DEFAULT 0,
  requests                     BIGINT NOT NULL DEFAULT 0,
  images_found                 BIGINT NOT NULL DEFAULT 0,
  images_stored                BIGINT NOT NULL DEFAULT 0,
  urls_done                    BIGINT NOT NULL DEFAULT 0,
  urls_failed                  BIGINT NOT NULL DEFAULT 0,
  urls_denied                  BIGINT NOT NULL DEFAULT 0,
  urls_set_aside               BIGINT NOT NULL DEFAULT 0,
  urls_over_cap                BIGINT NOT NULL DEFAULT 0,
  -- Queued, deferred and in flight.
  frontier_size                BIGINT NOT NULL DEFAULT 0,
  frontier_updated_at          BIGINT,
  -- Where a frontier outside this database is kept.
  frontier_checkpoint_id       TEXT,
  -- What was taken out of the log, so that it still adds up.
  pruned_requests              BIGINT NOT NULL DEFAULT 0,
  pruned_pages                 BIGINT NOT NULL DEFAULT 0,
  pruned_errors                BIGINT NOT NULL DEFAULT 0,

  -- What the operator wants; the holder reads it and never writes it.
  max_pages_per_run            INTEGER,
  max_concurrency              INTEGER,
  min_scrape_interval          DOUBLE PRECISION,
  paused                       INTEGER NOT NULL DEFAULT 0,

  crawl_depth_reached          INTEGER NOT NULL DEFAULT 0,

  -- Quality, always by the newest counters.
  total_error_count            BIGINT NOT NULL DEFAULT 0,
  consecutive_error_count      INTEGER NOT NULL DEFAULT 0,
  image_yield_rate             DOUBLE PRECISION GENERATED ALWAYS AS
    (CASE WHEN pages_crawled > 0 THEN CAST(images_stored AS DOUBLE PRECISION) / pages_crawled END) STORED,
  avg_images_per_page          DOUBLE PRECISION GENERATED ALWAYS AS
    (CASE WHEN pages_crawled > 0 THEN CAST(images_found AS DOUBLE PRECISION) / pages_crawled END) STORED,
  error_rate                   DOUBLE PRECISION GENERATED ALWAYS AS
    (CASE WHEN pages_crawled > 0 THEN CAST(total_error_count AS DOUBLE PRECISION) / pages_crawled END) STORED,

  -- Scheduling.
  priority_score               INTEGER NOT NULL DEFAULT 0,
  priority_computed_at         BIGINT,
  seed_rank                    INTEGER,
  source                       TEXT,

  -- How it is asked: columns for people and queries beside the one value that decides.
  crawl_delay_ms               BIGINT NOT NULL DEFAULT 0,
  crawl_delay_seconds          INTEGER GENERATED ALWAYS AS ((crawl_delay_ms + 999) / 1000) STORED,
  adaptive_delay_ms            BIGINT NOT NULL DEFAULT 0,
  adaptive_delay_seconds       INTEGER GENERATED ALWAYS AS ((adaptive_delay_ms + 999) / 1000) STORED,
  adaptive_delay_floor_ms      BIGINT,
  adaptive_delay_floor_seconds INTEGER GENERATED ALWAYS AS ((adaptive_delay_floor_ms + 999) / 1000) STORED,
  refused_delay_ms             BIGINT,
  not_before                   BIGINT,
  last_start_at                BIGINT,
  last_success_at              BIGINT,
  success_streak               INTEGER NOT NULL DEFAULT 0,
  refusal_streak               INTEGER NOT NULL DEFAULT 0,
  latency_avg_ms               INTEGER,
  latency_p95_ms               INTEGER,
  policy_state                 TEXT NOT NULL DEFAULT '{"v":1}',

  first_seen_at                BIGINT NOT NULL,
  last_crawled_at              BIGINT,
  last_crawl_run_id            BIGINT REFERENCES crawl_runs (id) ON DELETE SET NULL,
  updated_at                   BIGINT NOT NULL
);

-- Candidates in the order they are claimed in.
CREATE INDEX domains_candidates ON domains (claim_class, priority_score DESC, last_crawled_at)
  WHERE claimable_at = 0 AND claimed_by IS NULL;
-- What becomes one with time, or with the next run.
CREATE INDEX domains_waiting ON domains (claimable_at) WHERE claimable_at > 0 AND claimed_by IS NULL;
CREATE INDEX domains_spent ON domains (spent_run_id) WHERE spent_run_id IS NOT NULL AND claimed_by IS NULL;
CREATE INDEX domains_cooling ON domains (next_crawl_after) WHERE status IN ('blocked', 'unreachable');
CREATE INDEX domains_refresh ON domains (next_crawl_after, image_yield_rate DESC) WHERE status = 'exhausted';
CREATE INDEX domains_claims ON domains (claim_expires_at) WHERE claimed_by IS NOT NULL;
CREATE INDEX domains_status ON domains (status);
CREATE INDEX domains_source ON domains (source) WHERE source IS NOT NULL;

-- Every change of status and every claim granted. A claim's row says to whom.
CREATE TABLE transitions (
  id          ${serial},
  domain_id   BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  token       BIGINT NOT NULL,
  from_status TEXT NOT NULL,
  to_status   TEXT NOT NULL,
  -- claim, holder, cooldown, arrival, take_back, reset, block
  door        TEXT NOT NULL,
  reason      TEXT,
  worker      TEXT,
  at          BIGINT NOT NULL
);
CREATE INDEX transitions_domain ON transitions (domain_id, id);

-- One domain's share of one run.
CREATE TABLE jobs (
  run_id        BIGINT NOT NULL REFERENCES crawl_runs (id) ON DELETE CASCADE,
  domain_id     BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  -- open, done, failed, spent
  status        TEXT NOT NULL DEFAULT 'open',
  pages         BIGINT NOT NULL DEFAULT 0,
  failed_in_row INTEGER NOT NULL DEFAULT 0,
  reason        TEXT,
  started_at    BIGINT NOT NULL,
  ended_at      BIGINT,
  PRIMARY KEY (run_id, domain_id)
);

-- What others put into a domain's frontier since its counters were last brought up to date. Only ever inserted, and
-- folded in by whoever may write the domain's row.
CREATE TABLE arrivals (
  id         ${serial},
  domain_id  BIGINT NOT NULL,
  discovered INTEGER NOT NULL,
  over_cap   INTEGER NOT NULL
);
CREATE INDEX arrivals_domain ON arrivals (domain_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- URLs

-- Scheme, host and port under which a domain is asked; numbered from 0 within the domain.
CREATE TABLE authorities (
  domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  number    INTEGER NOT NULL,
  authority TEXT NOT NULL,
  PRIMARY KEY (domain_id, number)
);

-- Every URL known, also after it is done. A URL is its authority and its target; url_key is a hash of both that finds
-- it, and the text decides.
CREATE TABLE domain_frontier (
  id            ${serial},
  domain_id     BIGINT NOT NULL,
  authority_no  INTEGER NOT NULL,
  target        TEXT NOT NULL,
  url_key       BIGINT NOT NULL,
  -- 0 queued or deferred, 1 done, 2 failed, 3 denied, 4 set aside
  state         INTEGER NOT NULL DEFAULT 0,
  -- Where it stands in its domain's queue; the smaller, the earlier, and by id among equals.
  place         INTEGER NOT NULL,
  -- Queued: not before then. Done: when it is to be looked at again.
  due_at        BIGINT,
  depth         INTEGER NOT NULL,
  hops          INTEGER NOT NULL DEFAULT 0,
  -- How often it was asked in its life, and how many tries it has spent.
  asked         INTEGER NOT NULL DEFAULT 0,
  tries_spent   INTEGER NOT NULL DEFAULT 0,
  referrer_id   BIGINT,
  source_id     BIGINT,
  -- Seconds, for one byte less a URL would be a hundred megabytes less.
  discovered_at INTEGER NOT NULL,
  -- Of the last answer.
  etag          TEXT,
  last_modified TEXT,
  content_hash  BLOB
);
CREATE UNIQUE INDEX frontier_urls ON domain_frontier (domain_id, url_key);
CREATE INDEX frontier_ready ON domain_frontier (domain_id, place) WHERE state = 0 AND due_at IS NULL;
CREATE INDEX frontier_deferred ON domain_frontier (domain_id, due_at) WHERE state = 0 AND due_at IS NOT NULL;
CREATE INDEX frontier_revisits ON domain_frontier (domain_id, due_at) WHERE state = 1 AND due_at IS NOT NULL;

-- What to ask as well if no connection can be made: the http form of a seed given as a bare host.
CREATE TABLE fallbacks (
  url_id BIGINT PRIMARY KEY REFERENCES domain_frontier (id) ON DELETE CASCADE,
  url    TEXT NOT NULL
);

-- Taken and not settled. What is still here after a crash was in flight then.
CREATE TABLE in_flight (
  url_id     BIGINT PRIMARY KEY,
  domain_id  BIGINT NOT NULL,
  -- 1 while it is being asked.
  taken      INTEGER NOT NULL DEFAULT 1,
  -- How many workers died with it.
  deaths     INTEGER NOT NULL DEFAULT 0,
  taken_at   BIGINT NOT NULL
);
CREATE INDEX in_flight_domain ON in_flight (domain_id);

-- One row per request, robots.txt and images included.
CREATE TABLE crawl_log (
  id            ${serial},
  run_id        BIGINT NOT NULL,
  domain_id     BIGINT NOT NULL,
  url_id        BIGINT,
  -- Where it was none of the frontier's.
  url           TEXT,
  attempt       INTEGER NOT NULL,
  -- page, robots, sitemap, image
  kind          TEXT NOT NULL,
  -- discovery, refresh
  type          TEXT NOT NULL DEFAULT 'discovery',
  source_id     BIGINT,
  claim_token   BIGINT NOT NULL,
  started_at    BIGINT NOT NULL,
  finished_at   BIGINT NOT NULL,
  first_byte_ms INTEGER,
  -- The least time this request had to keep from the one before.
  delay_ms      BIGINT NOT NULL,
  status        INTEGER,
  outcome       TEXT NOT NULL,
  -- done, failed, retry: what became of the URL
  fate          TEXT NOT NULL,
  -- 1 where it is a page for the budgets, 1 where it is an error
  is_page       INTEGER NOT NULL,
  is_error      INTEGER NOT NULL,
  bytes         BIGINT NOT NULL,
  images_found  INTEGER NOT NULL DEFAULT 0,
  images_stored INTEGER NOT NULL DEFAULT 0,
  error         TEXT
);
CREATE INDEX crawl_log_starts ON crawl_log (domain_id, started_at);
CREATE INDEX crawl_log_sources ON crawl_log (source_id, started_at) WHERE source_id IS NOT NULL;

-- What each run got of a URL. The id is that of the log's row, so pages lie in the order they were settled in.
CREATE TABLE pages (
  id            BIGINT PRIMARY KEY,
  run_id        BIGINT NOT NULL,
  url_id        BIGINT NOT NULL,
  domain_id     BIGINT NOT NULL,
  status        INTEGER NOT NULL,
  title         TEXT,
  content_type  TEXT,
  headers       TEXT,
  content_hash  BLOB,
  bytes         BIGINT NOT NULL,
  started_at    BIGINT NOT NULL,
  first_byte_ms INTEGER,
  total_ms      INTEGER NOT NULL,
  -- Kept when asked for.
  text          TEXT,
  html          BLOB
);
CREATE UNIQUE INDEX pages_url ON pages (url_id, run_id);

CREATE TABLE robots_cache (
  authority  TEXT PRIMARY KEY,
  fetched_at BIGINT NOT NULL,
  -- 1 with no body: everything is allowed, 0: nothing is.
  allowed    INTEGER NOT NULL,
  body       BLOB
);

-- ---------------------------------------------------------------------------------------------------------------------
-- Images

CREATE TABLE images (
  id            ${serial},
  sha256        BLOB NOT NULL UNIQUE,
  media_type    TEXT NOT NULL,
  bytes         BIGINT NOT NULL,
  width         INTEGER,
  height        INTEGER,
  first_seen_at BIGINT NOT NULL,
  last_seen_at  BIGINT NOT NULL
);

CREATE TABLE provenance (
  id             ${serial},
  image_id       BIGINT REFERENCES images (id) ON DELETE CASCADE,
  image_url      TEXT NOT NULL,
  page_url_id    BIGINT NOT NULL,
  source_domain  TEXT NOT NULL,
  -- img, srcset, picture, og:image
  found_in       TEXT NOT NULL,
  alt            TEXT,
  discovery_type TEXT NOT NULL DEFAULT 'discovery',
  seen_at        BIGINT NOT NULL
);
CREATE UNIQUE INDEX provenance_sighting ON provenance (page_url_id, image_url);
CREATE INDEX provenance_image ON provenance (image_id);

-- Images that count for a domain, whoever stored them; folded in as arrivals are.
CREATE TABLE credits (
  id            ${serial},
  domain_id     BIGINT NOT NULL,
  images_found  INTEGER NOT NULL,
  images_stored INTEGER NOT NULL
);
CREATE INDEX credits_domain ON credits (domain_id);

-- ---------------------------------------------------------------------------------------------------------------------
-- People

CREATE TABLE audit (
  id      ${serial},
  at      BIGINT NOT NULL,
  actor   TEXT NOT NULL,
  action  TEXT NOT NULL,
  subject TEXT,
  reason  TEXT,
  detail  TEXT
);

-- URLs as people read them.
CREATE VIEW urls AS
  SELECT f.id, d.domain, a.authority || f.target AS url,
    CASE f.state WHEN 0 THEN CASE WHEN f.due_at IS NULL THEN 'queued' ELSE 'deferred' END
      WHEN 1 THEN 'done' WHEN 2 THEN 'failed' WHEN 3 THEN 'denied' ELSE 'set_aside' END AS state,
    f.depth, f.hops, f.asked, f.tries_spent, f.due_at, f.discovered_at, f.referrer_id, f.domain_id
  FROM domain_frontier f
  JOIN domains d ON d.id = f.domain_id
  JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no;
