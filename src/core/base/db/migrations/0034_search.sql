-- Full text of posts, replies and prompts, of what everybody sees. `place` is the number of a row in its index: the moment it was
-- written at, in milliseconds, or the next one that is free, so that the index is walked from the newest back and a stretch of time is
-- a stretch of it. Null for what was there before: it is indexed beside the requests, a slice at a time.
ALTER TABLE posts ADD COLUMN place INTEGER;
CREATE UNIQUE INDEX posts_by_place ON posts (place) WHERE place IS NOT NULL;
CREATE INDEX posts_unplaced ON posts (id) WHERE place IS NULL;
ALTER TABLE prompts ADD COLUMN place INTEGER;
CREATE UNIQUE INDEX prompts_by_place ON prompts (place) WHERE place IS NOT NULL;
CREATE INDEX prompts_unplaced ON prompts (id) WHERE place IS NULL;

-- `facets` holds one token for the author and one for each tag. `+` and `#` are letters: c++ and c# are not c. Beginnings of three and
-- four letters are kept, longer ones stand for few words.
CREATE VIRTUAL TABLE post_search USING fts5 (
  title, text, facets,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'",
  prefix = '3 4'
);
CREATE VIRTUAL TABLE prompt_search USING fts5 (
  title, text, facets,
  content = '', contentless_delete = 1,
  tokenize = "unicode61 remove_diacritics 2 tokenchars '+#'",
  prefix = '3 4'
);
-- A post is a segment of its own until segments are merged: eight at a time rather than four halves what a write costs.
INSERT INTO post_search (post_search, rank) VALUES ('automerge', 8);
INSERT INTO prompt_search (prompt_search, rank) VALUES ('automerge', 8);

-- Rows are hidden and deleted in many places, and none of them may forget the index; what puts one back indexes it.
CREATE TRIGGER post_search_hidden AFTER UPDATE OF hidden_at ON posts
WHEN NEW.hidden_at IS NOT NULL AND OLD.hidden_at IS NULL
BEGIN DELETE FROM post_search WHERE rowid = OLD.place; END;
CREATE TRIGGER post_search_left AFTER DELETE ON posts WHEN OLD.hidden_at IS NULL
BEGIN DELETE FROM post_search WHERE rowid = OLD.place; END;
CREATE TRIGGER prompt_search_hidden AFTER UPDATE OF hidden_at ON prompts
WHEN NEW.hidden_at IS NOT NULL AND OLD.hidden_at IS NULL
BEGIN DELETE FROM prompt_search WHERE rowid = OLD.place; END;
CREATE TRIGGER prompt_search_left AFTER DELETE ON prompts WHEN OLD.hidden_at IS NULL
BEGIN DELETE FROM prompt_search WHERE rowid = OLD.place; END;
