-- What gave access to an account is ended when it is suspended. For those who were suspended before: let in again, they sign in anew.

DELETE FROM sessions WHERE builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
UPDATE tokens SET revoked_at = created_at
WHERE revoked_at IS NULL AND builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
UPDATE grants SET revoked_at = created_at
WHERE revoked_at IS NULL AND builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
DELETE FROM links WHERE used_at IS NULL AND builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
DELETE FROM links WHERE used_at IS NULL AND created_by IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
UPDATE webhook_endpoints SET disabled_at = created_at, disabled_reason = 'Its owner’s account was suspended.', failing_since = NULL
WHERE disabled_at IS NULL AND created_by IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
