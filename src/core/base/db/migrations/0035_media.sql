-- Pictures that members have sent. Their bytes lie in the data folder, as files named by `hash`; they are there
-- before a row is, and what no row names is swept away.
CREATE TABLE media (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'med_*'),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- Of the largest size, which the others are made of; two that were sent twice have the same.
  hash       TEXT NOT NULL CHECK (length(hash) = 40 AND hash NOT GLOB '*[^0-9a-f]*'),
  width      INTEGER NOT NULL CHECK (width BETWEEN 1 AND 1920),
  height     INTEGER NOT NULL CHECK (height BETWEEN 1 AND 8192),
  alt        TEXT NOT NULL CHECK (length(alt) <= 500),
  -- Of all sizes together.
  bytes      INTEGER NOT NULL CHECK (bytes > 0),
  -- Whether anything shows it, or did: what was never used goes after a day, what was goes with its last use.
  is_used    INTEGER NOT NULL DEFAULT 0 CHECK (is_used IN (0, 1)),
  -- Whether it is what its builder looks like.
  is_avatar  INTEGER NOT NULL DEFAULT 0 CHECK (is_avatar IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX media_by_hash ON media (hash);
CREATE INDEX media_by_builder ON media (builder_id, bytes);
CREATE INDEX media_unused ON media (created_at) WHERE is_used = 0;
CREATE UNIQUE INDEX media_avatars ON media (builder_id) WHERE is_avatar = 1;

-- Which posts show them, or did before they were edited: made of `media` of posts and their revisions by the triggers below.
CREATE TABLE media_posts (
  media_id TEXT NOT NULL REFERENCES media (id) ON DELETE CASCADE,
  post_id  TEXT NOT NULL REFERENCES posts (id) ON DELETE CASCADE,
  PRIMARY KEY (media_id, post_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX media_posts_by_post ON media_posts (post_id, media_id);

CREATE TRIGGER media_of_new_post AFTER INSERT ON posts WHEN new.media <> '[]' BEGIN
  INSERT OR IGNORE INTO media_posts (media_id, post_id)
    SELECT value ->> 'id', new.id FROM json_each(new.media) WHERE type = 'object';
END;
CREATE TRIGGER media_of_edited_post AFTER UPDATE OF media ON posts WHEN new.media <> old.media BEGIN
  INSERT OR IGNORE INTO media_posts (media_id, post_id)
    SELECT value ->> 'id', new.id FROM json_each(new.media) WHERE type = 'object';
END;
CREATE TRIGGER media_of_revision AFTER INSERT ON post_revisions WHEN new.media <> '[]' BEGIN
  INSERT OR IGNORE INTO media_posts (media_id, post_id)
    SELECT value ->> 'id', new.post_id FROM json_each(new.media) WHERE type = 'object';
END;
CREATE TRIGGER media_of_deleted_post AFTER UPDATE OF removed_at ON posts WHEN new.removed_at IS NOT NULL BEGIN
  DELETE FROM media_posts WHERE post_id = new.id;
END;
CREATE TRIGGER media_used AFTER INSERT ON media_posts BEGIN
  UPDATE media SET is_used = 1 WHERE id = new.media_id AND is_used = 0;
END;
CREATE TRIGGER media_unused_now AFTER DELETE ON media_posts BEGIN
  DELETE FROM media WHERE id = old.media_id AND is_avatar = 0
    AND NOT EXISTS (SELECT 1 FROM media_posts WHERE media_id = old.media_id);
END;
