-- A suspension ends everything that gives access. Accounts that an earlier version suspended lose the rest of it here.
DELETE FROM passkeys WHERE builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
DELETE FROM mail_addresses WHERE builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
DELETE FROM feed_addresses WHERE builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL);
DELETE FROM oauth_records WHERE grant_id IN
  (SELECT id FROM grants WHERE builder_id IN (SELECT id FROM builders WHERE suspended_at IS NOT NULL));
