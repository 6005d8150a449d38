-- Ranges of deliveries that are sent again, slice by slice; several can be under way for one endpoint.

CREATE TABLE recoveries (
  id          INTEGER PRIMARY KEY,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  -- Deliveries in that state, or events that it has no delivery of.
  what        TEXT NOT NULL CHECK (what IN ('failed', 'acknowledged', 'missed')),
  -- How far it got, and where it ends: ids of deliveries, or of events. Both ends are left out.
  after_id    TEXT NOT NULL,
  before_id   TEXT NOT NULL,
  -- Whoever has waited longest is next.
  turn        INTEGER NOT NULL
) STRICT;
CREATE INDEX recoveries_by_endpoint ON recoveries (endpoint_id);
CREATE INDEX recoveries_by_turn ON recoveries (turn);

INSERT INTO recoveries (endpoint_id, what, after_id, before_id, turn)
SELECT id, 'failed', recover_after, 'dlv_~', 0 FROM webhook_endpoints WHERE recover_after IS NOT NULL;
DROP INDEX webhook_endpoints_recovering;
ALTER TABLE webhook_endpoints DROP COLUMN recover_after;
