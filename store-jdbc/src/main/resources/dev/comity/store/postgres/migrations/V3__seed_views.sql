-- Tables under the names and types that the design of domain tracking gave them, for its queries and for dashboards:
-- SET search_path = seed, public. Ids are UUIDs made of our numbers. Counters have what holders have not folded yet.

CREATE SCHEMA seed;

CREATE FUNCTION seed.uuid_of(number BIGINT) RETURNS UUID LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT lpad(to_hex(number), 32, '0')::uuid
$$;
CREATE FUNCTION seed.time_of(millis BIGINT) RETURNS TIMESTAMPTZ LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT to_timestamp(millis / 1000.0)
$$;

CREATE VIEW seed.domains AS
  SELECT seed.uuid_of(d.id) AS id, d.domain::varchar AS domain, d.status, d.block_reason,
    d.block_reason_code::varchar(50) AS block_reason_code, seed.time_of(d.first_blocked_at) AS first_blocked_at,
    d.claimed_by::varchar(255) AS claimed_by, seed.time_of(d.claim_expires_at) AS claim_expires_at,
    (d.version % 2147483648)::integer AS version,
    d.pages_discovered + coalesce((SELECT sum(a.discovered + a.over_cap + a.skipped) FROM public.arrivals a
      WHERE a.domain_id = d.id), 0)::bigint AS pages_discovered,
    d.pages_crawled, d.images_found,
    d.images_stored + coalesce((SELECT sum(c.images_stored) FROM public.credits c
      WHERE c.domain_id = d.id), 0)::bigint AS images_stored,
    coalesce(d.max_pages_per_run, 1000) AS max_pages_per_run, d.crawl_depth_reached,
    d.image_yield_rate, d.avg_images_per_page, d.error_rate,
    least(d.total_error_count, 2147483647)::integer AS total_error_count, d.consecutive_error_count,
    d.priority_score, seed.time_of(d.priority_computed_at) AS priority_computed_at, d.seed_rank,
    d.source::varchar(100) AS source, seed.time_of(d.first_seen_at) AS first_seen_at,
    seed.time_of(d.last_crawled_at) AS last_crawled_at,
    -- A domain with work may be resting or parked.
    seed.time_of(CASE WHEN d.status IN ('pending', 'active') THEN greatest(d.next_crawl_after, d.not_before)
      ELSE d.next_crawl_after END) AS next_crawl_after,
    seed.time_of(d.updated_at) AS updated_at, seed.uuid_of(d.last_crawl_run_id) AS last_crawl_run_id,
    d.frontier_checkpoint_id::varchar(100) AS frontier_checkpoint_id
  FROM public.domains d;

CREATE VIEW seed.crawl_runs AS
  SELECT seed.uuid_of(r.id) AS id, r.status::varchar(20) AS status, seed.time_of(r.started_at) AS started_at,
    seed.time_of(r.ended_at) AS finished_at,
    r.pages + coalesce((SELECT sum(l.pages) FROM public.lanes l WHERE l.run_id = r.id), 0)::bigint AS pages_crawled
  FROM public.crawl_runs r;

-- One row for each page that was answered: repeated requests, robots.txt and images are in public.crawl_log alone.
CREATE VIEW seed.crawl_log AS
  SELECT seed.uuid_of(l.id) AS id, seed.uuid_of(l.run_id) AS crawl_run_id, seed.uuid_of(l.domain_id) AS domain_id,
    d.domain::varchar AS domain, coalesce(l.url, f.url) AS page_url, l.status, l.images_found,
    l.type::varchar(20) AS crawl_type, l.error AS error_message, seed.time_of(l.started_at) AS crawled_at
  FROM public.crawl_log l
  JOIN public.domains d ON d.id = l.domain_id
  LEFT JOIN public.domain_frontier f ON f.domain_id = l.domain_id AND f.id = l.url_id
  WHERE l.is_page = 1;

CREATE VIEW seed.images AS
  SELECT seed.uuid_of(i.id) AS id, encode(i.sha256, 'hex')::varchar(64) AS sha256, i.media_type::varchar(100) AS content_type,
    i.bytes, i.width, i.height, seed.time_of(i.first_seen_at) AS first_seen_at, seed.time_of(i.last_seen_at) AS last_seen_at
  FROM public.images i;

CREATE VIEW seed.provenance AS
  SELECT seed.uuid_of(p.id) AS id, seed.uuid_of(p.image_id) AS image_id, p.image_url AS source_image_url,
    f.url AS source_page_url, p.source_domain::varchar AS source_domain, p.discovery_type::varchar(20) AS discovery_type,
    seed.time_of(p.first_seen_at) AS discovered_at, seed.time_of(p.last_seen_at) AS last_seen_at
  FROM public.provenance p
  LEFT JOIN public.domain_frontier f ON f.id = p.page_url_id;

-- URLs that are not finished. A frontier belongs to its domain, so the run is the last that had the domain.
CREATE VIEW seed.domain_frontier AS
  SELECT seed.uuid_of(f.id) AS id, seed.uuid_of(f.domain_id) AS domain_id, seed.uuid_of(d.last_crawl_run_id) AS run_id,
    f.url, f.depth, -f.place AS priority, to_timestamp(f.discovered_at) AS discovered_at
  FROM public.domain_frontier f JOIN public.domains d ON d.id = f.domain_id
  WHERE f.state = 0;

-- By hand: a claim can be ended and a domain be reset. All else is refused.
CREATE FUNCTION seed.domains_written() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  number BIGINT := ('x' || right(replace(OLD.id::text, '-', ''), 16))::bit(64)::bigint;
BEGIN
  IF (to_jsonb(NEW) - ARRAY['claimed_by', 'claim_expires_at', 'status', 'version', 'updated_at'])
      <> (to_jsonb(OLD) - ARRAY['claimed_by', 'claim_expires_at', 'status', 'version', 'updated_at'])
      OR NEW.claimed_by IS NOT NULL AND NEW.claimed_by IS DISTINCT FROM OLD.claimed_by THEN
    RAISE EXCEPTION 'domain %: by hand only a claim can be ended and a status be set to pending', OLD.domain
      USING HINT = 'the commands of Comity change the rest';
  END IF;
  IF NEW.status <> OLD.status THEN
    UPDATE public.domains SET status = NEW.status WHERE id = number;
  ELSIF NEW.claimed_by IS NULL AND OLD.claimed_by IS NOT NULL THEN
    UPDATE public.domains SET claimed_by = NULL, claim_expires_at = NULL, unclean = 1, version = version + 1,
      claimable_at = CASE WHEN status NOT IN ('pending', 'active') OR damage IS NOT NULL OR reset_by_hand <> 0
        OR paused <> 0 OR spent_run_id IS NOT NULL THEN NULL ELSE coalesce(not_before, 0) END
    WHERE id = number AND claimed_by = OLD.claimed_by;
    DELETE FROM public.in_flight WHERE domain_id = number;
    INSERT INTO public.audit (at, actor, action, subject, detail)
      VALUES (public.comity_millis(), 'sql', 'claim-ended', OLD.domain, 'of ' || OLD.claimed_by);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER domains_by_hand INSTEAD OF UPDATE ON seed.domains FOR EACH ROW EXECUTE FUNCTION seed.domains_written();
