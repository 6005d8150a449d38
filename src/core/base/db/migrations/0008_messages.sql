-- Direct messages between two builders, and who wants none from whom.

-- One for each pair, whoever began it. What the two have goes with either of them.
CREATE TABLE threads (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'thr_*'),
  low_id     TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  high_id    TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  started_by TEXT NOT NULL CHECK (started_by IN (low_id, high_id)),
  created_at INTEGER NOT NULL,
  CHECK (low_id < high_id)
) STRICT;
CREATE UNIQUE INDEX threads_of_pair ON threads (low_id, high_id);
CREATE INDEX threads_by_high ON threads (high_id);
CREATE INDEX threads_by_starter ON threads (started_by, id);

CREATE TABLE messages (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'msg_*'),
  thread_id  TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  sender_id  TEXT NOT NULL,
  text       TEXT NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX messages_by_thread ON messages (thread_id, id, sender_id);

-- A thread as each of the two sees it.
CREATE TABLE thread_members (
  thread_id  TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
  builder_id TEXT NOT NULL,
  -- The newest message, for the order of the list.
  last_id    TEXT NOT NULL,
  -- All messages up to this one are read; '' where none is.
  read_to    TEXT NOT NULL DEFAULT '',
  -- How many of the other's messages are behind it.
  unread     INTEGER NOT NULL DEFAULT 0 CHECK (unread >= 0),
  PRIMARY KEY (thread_id, builder_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX threads_of_member ON thread_members (builder_id, last_id);
CREATE INDEX threads_unread ON thread_members (builder_id, unread) WHERE unread > 0;

CREATE TABLE blocks (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  blocked_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (builder_id, blocked_id),
  CHECK (builder_id <> blocked_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX blocks_by_age ON blocks (builder_id, created_at, blocked_id);
CREATE INDEX blocks_of_blocked ON blocks (blocked_id);
