-- The log keeps no words of members (docs/contract.md#5.8): an event of a post, job or message names its subject, whose words are read
-- from the subject itself. Events of before lose the words that they held.
ALTER TABLE events ADD COLUMN subject_id TEXT;

UPDATE events
SET subject_id = body ->> '$.data.post.id', body = json_remove(body, '$.data.post.title')
WHERE type IN ('post.created', 'post.updated') AND workspace_id IS NULL;

UPDATE events
SET subject_id = body ->> '$.data.job.id', body = json_remove(body, '$.data.job.title', '$.data.job.company')
WHERE type = 'job.published' AND workspace_id IS NULL;

-- A message event did not name its message: it is the newest one of its sender in the thread by then. Without one, nobody reads the event.
UPDATE events
SET subject_id = coalesce(
      (SELECT m.id FROM messages m
       WHERE m.thread_id = body ->> '$.data.thread_id' AND m.sender_id = body ->> '$.data.from_id'
         AND m.created_at <= events.created_at
       ORDER BY m.id DESC LIMIT 1),
      body ->> '$.data.thread_id'),
    body = json_remove(body, '$.data.preview')
WHERE type = 'dm.received' AND workspace_id IS NULL;
