-- Whether a paused domain has work is asked at every look for work. Most domains are not paused.
CREATE INDEX domains_paused ON domains (id) WHERE paused = 1;
