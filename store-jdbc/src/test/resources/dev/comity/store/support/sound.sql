-- A store as a small crawl leaves it: everything in it holds. Times are in seconds after 1 700 000 000.
INSERT INTO crawl_runs (id, terms, max_pages, max_pages_per_domain, pages, started_at)
  VALUES (1, '{}', 1000, 1000, 4, 1700000000000);
INSERT INTO crawl_run_seeds (run_id, position, url)
  VALUES (1, 0, 'https://able.example/'), (1, 1, 'https://baker.example/');
INSERT INTO workers (id, name, version, started_at, last_seen_at)
  VALUES ('host-1', 'host', '0.1', 1700000000000, 1700000100000);

-- able: being crawled; 5 URLs kept, one beyond the cap, two more arrived and not counted in yet.
INSERT INTO domains (id, domain, parent_domain, status, claimed_by, claim_expires_at, claim_token, version, claimable_at, claim_class,
    pages_discovered, pages_crawled, requests, page_requests, urls_done, urls_failed, urls_over_cap, frontier_size, images_found,
    images_stored, total_error_count, adaptive_delay_ms, last_start_at, last_crawled_at, last_crawl_run_id, first_seen_at,
    updated_at, policy_state)
  VALUES (1, 'able.example', 'able.example', 'active', 'host-1', 1700001800000, 2, 7, 0, 0,
    6, 3, 5, 4, 3, 1, 1, 1, 12, 9, 1, 0, 1700000040000, 1700000010000, 1, 1700000000000, 1700000040000, '${able}');
INSERT INTO authorities (domain_id, number, authority) VALUES (1, 0, 'https://able.example');
INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, state, place, due_at, depth, asked, tries_spent,
    referrer_id, discovered_at)
  VALUES (1, 1, 0, '/', 6837740633131104365, 1, 0, NULL, 0, 1, 0, NULL, 1700000000),
    (2, 1, 0, '/two', 1810225804689946156, 1, 1, NULL, 1, 1, 0, 1, 1700000010),
    (3, 1, 0, '/gone', 2461766350503779669, 1, 1, NULL, 1, 1, 0, 1, 1700000010),
    (4, 1, 0, '/broken', 3651875372076069617, 2, 65537, NULL, 1, 3, 3, 1, 1700000010),
    (5, 1, 0, '/later', 212086342720041513, 0, 1, NULL, 1, 0, 0, 1, 1700000010),
    (6, 1, 0, '/new-1', 6373433183456131160, 0, 1, NULL, 1, 0, 0, 1, 1700000050),
    (7, 1, 0, '/new-2', 651007018529834451, 0, 65537, 1700009000000, 1, 1, 1, 1, 1700000050);
INSERT INTO arrivals (domain_id, discovered, over_cap) VALUES (1, 1, 0), (1, 1, 2);
INSERT INTO in_flight (url_id, domain_id, taken, deaths, taken_at) VALUES (5, 1, 1, 0, 1700000041000);
INSERT INTO jobs (run_id, domain_id, pages, started_at) VALUES (1, 1, 3, 1700000010000);
INSERT INTO transitions (id, domain_id, token, from_status, to_status, door, reason, worker, at)
  VALUES (1, 1, 1, 'pending', 'active', 'claim', NULL, 'host-1', 1700000005000),
    (2, 1, 2, 'active', 'active', 'claim', NULL, 'host-1', 1700000010000);

-- baker: closed for a while after one page and two refusals that taught it a delay.
INSERT INTO domains (id, domain, parent_domain, status, block_reason, block_reason_code, first_blocked_at, next_crawl_after,
    cooldown_count, claim_token, claimable_at, pages_discovered, pages_crawled, requests, page_requests, urls_done, frontier_size,
    adaptive_delay_ms, refused_delay_ms, last_start_at, last_crawled_at, last_crawl_run_id, first_seen_at, updated_at,
    policy_state)
  VALUES (2, 'baker.example', 'baker.example', 'blocked', 'it kept answering 401 or 403', 'forbidden', 1700000060000,
    1701209660000, 1, 1, NULL, 2, 1, 2, 1, 1, 1, 2500, 1500, 1700000030000, 1700000020000, 1, 1700000000000,
    1700000060000, '${baker}');
INSERT INTO authorities (domain_id, number, authority) VALUES (2, 0, 'https://baker.example');
INSERT INTO domain_frontier (id, domain_id, authority_no, target, url_key, state, place, due_at, depth, asked, discovered_at)
  VALUES (8, 2, 0, '/', -4506547721645424867, 1, 0, NULL, 0, 1, 1700000000), (9, 2, 0, '/more', 5628221828354503198, 0, 1, NULL, 1, 0, 1700000020);
INSERT INTO jobs (run_id, domain_id, status, pages, started_at, ended_at)
  VALUES (1, 2, 'failed', 1, 1700000020000, 1700000060000);
INSERT INTO transitions (id, domain_id, token, from_status, to_status, door, reason, worker, at)
  VALUES (3, 2, 1, 'pending', 'active', 'claim', NULL, 'host-1', 1700000020000),
    (4, 2, 1, 'active', 'blocked', 'holder', 'forbidden', NULL, 1700000060000);

-- easy.able: heard of, not yet asked.
INSERT INTO domains (id, domain, parent_domain, first_seen_at, updated_at)
  VALUES (3, 'easy.able.example', 'able.example', 1700000050000, 1700000050000);

INSERT INTO crawl_log (id, run_id, domain_id, url_id, url, attempt, kind, claim_token, started_at, finished_at, delay_ms,
    status, outcome, fate, is_page, is_error, bytes, images_found, images_stored)
  VALUES (1, 1, 1, NULL, 'https://able.example/robots.txt', 1, 'robots', 1, 1700000006000, 1700000006200, 1000, 404,
      'client_error', 'done', 0, 0, 0, 0, 0),
    (2, 1, 1, 1, NULL, 1, 'page', 2, 1700000010000, 1700000010300, 1000, 200, 'success', 'done', 1, 0, 900, 12, 9),
    (3, 1, 1, 2, NULL, 1, 'page', 2, 1700000020000, 1700000020300, 1000, 200, 'success', 'done', 1, 0, 800, 0, 0),
    (4, 1, 1, 3, NULL, 1, 'page', 2, 1700000030000, 1700000030100, 1000, 404, 'client_error', 'done', 1, 0, 70, 0, 0),
    (5, 1, 1, 4, NULL, 3, 'page', 2, 1700000040000, 1700000040900, 1000, NULL, 'timeout', 'failed', 0, 1, 0, 0, 0),
    (6, 1, 2, NULL, 'https://baker.example/robots.txt', 1, 'robots', 1, 1700000021000, 1700000021200, 1000, 200,
      'success', 'done', 0, 0, 50, 0, 0),
    (7, 1, 2, 8, NULL, 1, 'page', 1, 1700000030000, 1700000030200, 1500, 200, 'success', 'done', 1, 0, 600, 0, 0);
INSERT INTO pages (id, run_id, url_id, domain_id, status, title, content_type, bytes, started_at, first_byte_ms, total_ms,
    text)
  VALUES (2, 1, 1, 1, 200, 'Able', 'text/html', 900, 1700000010000, 40, 300, 'all about able'),
    (3, 1, 2, 1, 200, 'Two', 'text/html', 800, 1700000020000, 41, 300, 'more of it'),
    (4, 1, 3, 1, 404, NULL, NULL, 70, 1700000030000, 42, 100, NULL),
    (7, 1, 8, 2, 200, 'Baker', 'text/html', 600, 1700000030000, 43, 200, NULL);
