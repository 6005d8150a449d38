-- A name that its builder has given up for another stays theirs, and leads to them. Null for one that nobody has any more.
ALTER TABLE former_usernames ADD COLUMN builder_id TEXT REFERENCES builders (id) ON DELETE SET NULL;
CREATE INDEX former_usernames_of_builder ON former_usernames (builder_id, removed_at) WHERE builder_id IS NOT NULL;
