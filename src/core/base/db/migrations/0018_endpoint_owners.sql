-- Whose an endpoint is: that of an app, which ends with its grant, or a person's, who may have made it with a token. Those from before have
-- neither, and are of whoever registered them (created_by).
ALTER TABLE webhook_endpoints ADD COLUMN grant_id TEXT REFERENCES grants (id) ON DELETE SET NULL;
ALTER TABLE webhook_endpoints ADD COLUMN token_id TEXT REFERENCES tokens (id) ON DELETE SET NULL;
CREATE INDEX webhook_endpoints_by_grant ON webhook_endpoints (grant_id, id) WHERE grant_id IS NOT NULL;
CREATE INDEX webhook_endpoints_by_token ON webhook_endpoints (token_id, id) WHERE token_id IS NOT NULL;
DROP INDEX webhook_endpoints_by_creator;
CREATE INDEX webhook_endpoints_by_creator ON webhook_endpoints (created_by, id);

-- Whatever ends a grant (Disconnect, a secured or suspended account, a deleted app, a member who goes) ends what its app hears by: said
-- here, so that no way of ending one can forget it.
CREATE TRIGGER grants_end_endpoints AFTER UPDATE OF revoked_at ON grants
WHEN OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL
BEGIN
  DELETE FROM webhook_subscriptions
  WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE grant_id = NEW.id);
  UPDATE webhook_endpoints SET removed_at = NEW.revoked_at, url = 'removed:' || id
  WHERE grant_id = NEW.id AND removed_at IS NULL;
END;
CREATE TRIGGER deleted_grants_end_endpoints BEFORE DELETE ON grants
BEGIN
  DELETE FROM webhook_subscriptions
  WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE grant_id = OLD.id);
  UPDATE webhook_endpoints SET removed_at = coalesce(OLD.revoked_at, OLD.created_at), url = 'removed:' || id
  WHERE grant_id = OLD.id AND removed_at IS NULL;
END;
