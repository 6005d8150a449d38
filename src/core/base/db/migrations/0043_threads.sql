-- A reply may answer a reply. `parent_id` stays the post of the feed whose conversation it is in, as all lists and
-- counts go by that.

-- The reply that it answers; null for one that answers the post itself. Refers to nothing, as an answer outlives
-- what it answers.
ALTER TABLE posts ADD COLUMN answered_id TEXT CHECK (answered_id IS NULL OR parent_id IS NOT NULL);
CREATE INDEX posts_by_answered ON posts (answered_id, hidden_at, id) WHERE answered_id IS NOT NULL;
