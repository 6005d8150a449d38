-- An endpoint is disabled by failed attempts over time that the server ran (docs/contract.md#6.4).
ALTER TABLE webhook_endpoints ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;
-- The served time at the first of them; null before a failure, and for one from before this column.
ALTER TABLE webhook_endpoints ADD COLUMN failing_served INTEGER;
