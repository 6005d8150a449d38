-- The tags of a post are in its row, so the rows of a post are found by tag and post: an index of posts cost every post
-- a page and a half. Without that index a reference to the post would read the whole table, so a trigger takes its place.
CREATE TABLE post_tags_kept (
  tag       TEXT NOT NULL,
  post_id   TEXT NOT NULL,
  author_id TEXT NOT NULL,
  PRIMARY KEY (tag, post_id)
) STRICT, WITHOUT ROWID;
INSERT INTO post_tags_kept (tag, post_id, author_id) SELECT tag, post_id, author_id FROM post_tags;
DROP TABLE post_tags;
CREATE TABLE post_tags (
  tag       TEXT NOT NULL,
  post_id   TEXT NOT NULL,
  author_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  PRIMARY KEY (tag, post_id)
) STRICT, WITHOUT ROWID;
INSERT INTO post_tags (tag, post_id, author_id) SELECT tag, post_id, author_id FROM post_tags_kept;
DROP TABLE post_tags_kept;
CREATE INDEX post_tags_by_author ON post_tags (author_id, tag, post_id);

CREATE TRIGGER post_tags_left AFTER DELETE ON posts WHEN OLD.tags <> '[]'
BEGIN DELETE FROM post_tags WHERE post_id = OLD.id AND tag IN (SELECT value FROM json_each(OLD.tags)); END;

CREATE TRIGGER directory_tagged AFTER INSERT ON post_tags
WHEN NOT EXISTS (SELECT 1 FROM post_tags WHERE author_id = NEW.author_id AND tag = NEW.tag AND post_id <> NEW.post_id)
BEGIN
  INSERT OR REPLACE INTO directory_search (rowid, names, tags)
  SELECT seq, names, tags FROM directory_words WHERE builder_id = NEW.author_id;
END;
CREATE TRIGGER directory_untagged AFTER DELETE ON post_tags
WHEN NOT EXISTS (SELECT 1 FROM post_tags WHERE author_id = OLD.author_id AND tag = OLD.tag)
BEGIN
  INSERT OR REPLACE INTO directory_search (rowid, names, tags)
  SELECT seq, names, tags FROM directory_words WHERE builder_id = OLD.author_id;
END;
