-- When the title of a job last changed: answers to attempts before may repeat the one before (docs/contract.md#5.8).
ALTER TABLE jobs ADD COLUMN retitled_at INTEGER;
-- Whether the title changed earlier, nobody knows.
UPDATE attempts SET answer = NULL
WHERE answer IS NOT NULL AND EXISTS (
  SELECT 1 FROM deliveries d CROSS JOIN events e ON e.id = d.event_id
  WHERE d.id = attempts.delivery_id AND e.type = 'job.published');
