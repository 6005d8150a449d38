-- Browsers that are told of notifications by Web Push (RFC 8030, 8291, 8292), and what is on its way to them.

-- The one key by which push services know this installation; browsers subscribe with its public part.
CREATE TABLE push_keys (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  -- The point as P-256 writes it uncompressed.
  public_key BLOB NOT NULL CHECK (length(public_key) = 65),
  sealed     BLOB NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE push_subscriptions (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'psh_*'),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- Of the browser: what it is told ends with its sign-in.
  session_id   TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint     TEXT NOT NULL UNIQUE CHECK (length(endpoint) BETWEEN 1 AND 2048),
  p256dh       BLOB NOT NULL CHECK (length(p256dh) = 65),
  auth         BLOB NOT NULL CHECK (length(auth) = 16),
  created_at   INTEGER NOT NULL,
  -- When its push service last took something.
  succeeded_at INTEGER,
  -- In a row, since then.
  failures     INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0)
) STRICT;
CREATE INDEX push_subscriptions_by_builder ON push_subscriptions (builder_id, id);
CREATE INDEX push_subscriptions_by_session ON push_subscriptions (session_id);

-- One row for each browser that is to be told of something. It holds no words: they are made when it is sent.
CREATE TABLE pushes (
  seq             INTEGER PRIMARY KEY AUTOINCREMENT,
  subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
  -- Of what; null for the first word to a browser, which says that it works.
  notification_id TEXT,
  -- By the steady time.
  created_at      INTEGER NOT NULL,
  due_at          INTEGER NOT NULL,
  attempts        INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0)
) STRICT;
CREATE UNIQUE INDEX pushes_once ON pushes (subscription_id, notification_id);
CREATE INDEX pushes_due ON pushes (due_at, seq);
