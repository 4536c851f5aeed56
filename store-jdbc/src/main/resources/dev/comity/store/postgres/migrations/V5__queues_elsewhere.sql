-- Queues of domains may lie in Redis: how many URLs waited there at the last checkpoint, and where.
ALTER TABLE domains ADD COLUMN frontier_elsewhere BIGINT NOT NULL DEFAULT 0;

CREATE TABLE queue_home (
  id         BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
  address    TEXT NOT NULL,
  namespace  TEXT NOT NULL,
  since      BIGINT NOT NULL
);
