-- Whom and which tags builders follow, and what they keep.

CREATE TABLE follows (
  follower_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  followed_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (follower_id, followed_id),
  CHECK (follower_id <> followed_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX follows_by_age ON follows (follower_id, created_at, followed_id);
CREATE INDEX follows_of_followed ON follows (followed_id);

CREATE TABLE followed_tags (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  tag        TEXT NOT NULL CHECK (length(tag) BETWEEN 1 AND 50),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (builder_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX followed_tags_by_age ON followed_tags (builder_id, created_at, tag);

-- Posts and replies. A hidden one stays here and is not shown.
CREATE TABLE bookmarks (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  post_id    TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (builder_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bookmarks_by_age ON bookmarks (builder_id, created_at, post_id);
CREATE INDEX bookmarks_of_post ON bookmarks (post_id);

-- How many follow a builder who may come in themselves. Kept by triggers: follows begin and end, and followers
-- are suspended, restored and deleted, in many places.
ALTER TABLE builders ADD COLUMN followers INTEGER NOT NULL DEFAULT 0 CHECK (followers >= 0);

CREATE TRIGGER follow_begins AFTER INSERT ON follows
WHEN (SELECT suspended_at FROM builders WHERE id = NEW.follower_id) IS NULL
BEGIN UPDATE builders SET followers = followers + 1 WHERE id = NEW.followed_id; END;

-- Of a follower whose own row is gone already nothing was counted: whoever is deleted was suspended first.
CREATE TRIGGER follow_ends AFTER DELETE ON follows
WHEN EXISTS (SELECT 1 FROM builders WHERE id = OLD.follower_id AND suspended_at IS NULL)
BEGIN UPDATE builders SET followers = followers - 1 WHERE id = OLD.followed_id; END;

CREATE TRIGGER follower_suspended AFTER UPDATE OF suspended_at ON builders
WHEN OLD.suspended_at IS NULL AND NEW.suspended_at IS NOT NULL
BEGIN
  UPDATE builders SET followers = followers - 1
  WHERE id IN (SELECT followed_id FROM follows WHERE follower_id = NEW.id);
END;

CREATE TRIGGER follower_restored AFTER UPDATE OF suspended_at ON builders
WHEN OLD.suspended_at IS NOT NULL AND NEW.suspended_at IS NULL
BEGIN
  UPDATE builders SET followers = followers + 1
  WHERE id IN (SELECT followed_id FROM follows WHERE follower_id = NEW.id);
END;
