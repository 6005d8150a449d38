-- What somebody may do for the community is one of four roles, and no longer «admin or not».
ALTER TABLE builders ADD COLUMN role TEXT NOT NULL DEFAULT 'member'
  CHECK (role IN ('owner', 'admin', 'moderator', 'member'));
UPDATE builders SET role = 'admin' WHERE is_admin = 1;
-- The owner is whoever set the community up; where they run it no more, the admin who has been here longest.
UPDATE builders SET role = 'owner' WHERE id = coalesce(
  (SELECT b.id FROM audit_entries a CROSS JOIN builders b ON b.id = a.subject_id
   WHERE a.act = 'account.set-up' AND b.is_admin = 1 AND b.suspended_at IS NULL ORDER BY a.id LIMIT 1),
  (SELECT id FROM builders WHERE is_admin = 1 AND suspended_at IS NULL ORDER BY id LIMIT 1));

-- `removed_at` is made anew, as its CHECK names the column that goes.
DROP INDEX builders_admins;
DROP INDEX builders_removed;
DROP TRIGGER xp_entries_stay;
ALTER TABLE builders RENAME COLUMN removed_at TO gone_at;
ALTER TABLE builders ADD COLUMN removed_at INTEGER
  CHECK (removed_at IS NULL OR (suspended_at IS NOT NULL AND role = 'member'));
UPDATE builders SET removed_at = gone_at WHERE gone_at IS NOT NULL;
ALTER TABLE builders DROP COLUMN gone_at;
ALTER TABLE builders DROP COLUMN is_admin;

-- Those who run the community are few, and asked for at every report and start.
CREATE INDEX builders_crew ON builders (id) WHERE role <> 'member';
CREATE INDEX builders_removed ON builders (id) WHERE removed_at IS NOT NULL;
CREATE TRIGGER xp_entries_stay BEFORE DELETE ON xp_entries
WHEN EXISTS (SELECT 1 FROM builders WHERE id = OLD.builder_id AND removed_at IS NULL)
BEGIN SELECT RAISE(ABORT, 'the ledger is only appended to'); END;
