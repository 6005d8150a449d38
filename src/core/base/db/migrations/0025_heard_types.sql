-- What an endpoint was ever subscribed to: what it heard can be sent again, so whoever moves it may read all of it. Kept apart from what it
-- hears now, and not asked of its deliveries, which may be a million.
CREATE TABLE webhook_heard (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  type        TEXT NOT NULL,
  PRIMARY KEY (endpoint_id, type)
) STRICT, WITHOUT ROWID;
INSERT INTO webhook_heard (endpoint_id, type)
SELECT endpoint_id, type FROM webhook_subscriptions
UNION
SELECT d.endpoint_id, e.type FROM deliveries d CROSS JOIN events e ON e.id = d.event_id;
CREATE TRIGGER subscriptions_are_heard AFTER INSERT ON webhook_subscriptions
BEGIN
  INSERT OR IGNORE INTO webhook_heard (endpoint_id, type) VALUES (NEW.endpoint_id, NEW.type);
END;
