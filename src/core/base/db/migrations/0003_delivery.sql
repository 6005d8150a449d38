-- Work on deliveries that is too much for one transaction. It is done in slices, and what is left of it stands here.

-- Events that not every subscribed endpoint has a delivery of yet.
CREATE TABLE fan_outs (
  event_id       TEXT NOT NULL PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  -- The last endpoint that has one: they follow in the order of their ids.
  after_endpoint TEXT NOT NULL,
  -- The last endpoint that was there when it fired.
  until_endpoint TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Since when an endpoint is gone for everyone; its row stays until the last of its deliveries is deleted.
ALTER TABLE webhook_endpoints ADD COLUMN removed_at INTEGER;
CREATE INDEX webhook_endpoints_removed ON webhook_endpoints (id) WHERE removed_at IS NOT NULL;

-- The failed deliveries of an endpoint that are behind this id are to be attempted again.
ALTER TABLE webhook_endpoints ADD COLUMN recover_after TEXT;
CREATE INDEX webhook_endpoints_recovering ON webhook_endpoints (id) WHERE recover_after IS NOT NULL;

-- The running attempts alone, few among millions that wait: a start looks for those that were cut off.
CREATE INDEX deliveries_attempting ON deliveries (id) WHERE state = 'attempting';

-- An endpoint that is off is passed over by the loop; what waits for it keeps its due time.
UPDATE deliveries SET due_at = created_at WHERE state = 'awaiting_retry' AND due_at IS NULL;
