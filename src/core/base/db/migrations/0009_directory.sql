-- The directory of builders, found by the words of their names and of the tags they post under; and what else is listed of one builder
-- or company.

-- Counts up as builders come: the index below is walked from the newest back.
CREATE TABLE directory (
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  builder_id TEXT NOT NULL UNIQUE REFERENCES builders (id) ON DELETE CASCADE
) STRICT;

CREATE VIRTUAL TABLE directory_search USING fts5 (
  names, tags,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2",
  prefix = '1 2 3 4'
);

-- What stands in the index for each builder.
CREATE VIEW directory_words AS
SELECT d.seq, b.id AS builder_id, b.username || ' ' || b.name AS names,
       coalesce((SELECT group_concat(DISTINCT tag) FROM post_tags WHERE author_id = b.id), '') AS tags
FROM builders b JOIN directory d ON d.builder_id = b.id;

INSERT INTO directory (builder_id) SELECT id FROM builders ORDER BY id;
INSERT INTO directory_search (rowid, names, tags) SELECT seq, names, tags FROM directory_words;

-- Kept by triggers: names and tags are written, hidden, restored and deleted in many places, and none of them may forget the index.
CREATE TRIGGER directory_enter AFTER INSERT ON builders
BEGIN INSERT INTO directory (builder_id) VALUES (NEW.id); END;

CREATE TRIGGER directory_entered AFTER INSERT ON directory
BEGIN
  INSERT INTO directory_search (rowid, names, tags)
  SELECT seq, names, tags FROM directory_words WHERE builder_id = NEW.builder_id;
END;

CREATE TRIGGER directory_renamed AFTER UPDATE OF username, name ON builders
BEGIN
  INSERT OR REPLACE INTO directory_search (rowid, names, tags)
  SELECT seq, names, tags FROM directory_words WHERE builder_id = NEW.id;
END;

-- Only the first post under a tag, and the end of the last one, change anything.
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

CREATE TRIGGER directory_left AFTER DELETE ON directory
BEGIN DELETE FROM directory_search WHERE rowid = OLD.seq; END;

-- What is on the board of one company.
CREATE INDEX jobs_on_board_of_company ON jobs (company_id, seq) WHERE on_board = 1;
