-- Whom a post, a message or a prompt names behind an @, found when it was written: a name stays whose it was then.
CREATE TABLE mentions (
  -- What they are named in.
  subject_id TEXT NOT NULL,
  -- As it was written, without the @, in lower case.
  name       TEXT NOT NULL,
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  PRIMARY KEY (subject_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_of_builder ON mentions (builder_id);

-- They go with it, however it goes.
CREATE TRIGGER mentions_of_post AFTER DELETE ON posts
BEGIN DELETE FROM mentions WHERE subject_id = OLD.id; END;
CREATE TRIGGER mentions_of_message AFTER DELETE ON messages
BEGIN DELETE FROM mentions WHERE subject_id = OLD.id; END;
CREATE TRIGGER mentions_of_prompt AFTER DELETE ON prompts
BEGIN DELETE FROM mentions WHERE subject_id = OLD.id; END;
