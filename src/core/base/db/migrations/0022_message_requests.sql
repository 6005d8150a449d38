-- Who may write to whom: what strangers send waits in a box of its own, and newcomers begin few conversations.

ALTER TABLE builders ADD COLUMN messages_from TEXT NOT NULL DEFAULT 'everybody'
  CHECK (messages_from IN ('everybody', 'contacts', 'nobody'));
-- Until when the limits of newcomers hold; null for who was here before, and for who was brought in by the operator.
ALTER TABLE builders ADD COLUMN newcomer_until INTEGER;

-- Whether this member has not answered or accepted yet what a stranger began. Conversations from before are none.
ALTER TABLE thread_members ADD COLUMN is_request INTEGER NOT NULL DEFAULT 0 CHECK (is_request IN (0, 1));
CREATE INDEX threads_of_box ON thread_members (builder_id, is_request, last_id);
