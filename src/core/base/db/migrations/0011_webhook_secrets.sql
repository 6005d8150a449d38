-- The signing secrets of an endpoint: one that it has now, and those from before that sign too until their end.

CREATE TABLE webhook_secrets (
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id) ON DELETE CASCADE,
  -- Counts up: the greatest is the newest.
  number      INTEGER NOT NULL CHECK (number > 0),
  -- Sealed with the key file, for the endpoint: a stolen database signs nothing.
  sealed      BLOB NOT NULL,
  -- Until when it signs; null for the newest, which has no end.
  ends_at     INTEGER,
  PRIMARY KEY (endpoint_id, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX webhook_secrets_newest ON webhook_secrets (endpoint_id) WHERE ends_at IS NULL;
CREATE INDEX webhook_secrets_ending ON webhook_secrets (ends_at) WHERE ends_at IS NOT NULL;

INSERT INTO webhook_secrets (endpoint_id, number, sealed, ends_at)
SELECT id, 1, previous_sealed, previous_until FROM webhook_endpoints
WHERE previous_sealed IS NOT NULL AND previous_until IS NOT NULL;
INSERT INTO webhook_secrets (endpoint_id, number, sealed) SELECT id, 2, secret_sealed FROM webhook_endpoints;

ALTER TABLE webhook_endpoints DROP COLUMN secret_sealed;
ALTER TABLE webhook_endpoints DROP COLUMN previous_sealed;
ALTER TABLE webhook_endpoints DROP COLUMN previous_until;
