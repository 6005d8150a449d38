-- Push and mail walk the notifications independently, each from its own place.
INSERT INTO settings (name, value) SELECT 'push-place', value FROM settings WHERE name = 'reach-place';
INSERT INTO settings (name, value) SELECT 'mail-place', value FROM settings WHERE name = 'reach-place';
DELETE FROM settings WHERE name = 'reach-place';

-- Where a recipient's own walk continues whose queue was full, and when (steady time) it is tried again. Null for a
-- recipient whose queue has room.
ALTER TABLE push_subscriptions ADD COLUMN resume_place INTEGER;
ALTER TABLE push_subscriptions ADD COLUMN resume_at INTEGER;
ALTER TABLE mail_addresses ADD COLUMN resume_place INTEGER;
ALTER TABLE mail_addresses ADD COLUMN resume_at INTEGER;
CREATE INDEX push_subscriptions_resume ON push_subscriptions (resume_at) WHERE resume_at IS NOT NULL;
CREATE INDEX mail_addresses_resume ON mail_addresses (resume_at) WHERE resume_at IS NOT NULL;

-- Urgent notifications have a daily bound of their own, so that others cannot use it up.
ALTER TABLE mail_addresses ADD COLUMN urgent_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE mail_addresses ADD COLUMN urgent_count INTEGER NOT NULL DEFAULT 0;

-- The host is the push service's, or the domain of the mail address. Urgent messages are sent first, and counted apart.
ALTER TABLE pushes ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE pushes ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0 CHECK (urgent IN (0, 1));
UPDATE pushes SET host = (
  SELECT substr(endpoint, 9, instr(substr(endpoint, 9) || '/', '/') - 1) FROM push_subscriptions s
  WHERE s.id = pushes.subscription_id);
CREATE INDEX pushes_by_host ON pushes (host, urgent);

ALTER TABLE mails ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE mails ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0 CHECK (urgent IN (0, 1));
-- A keyed mark of the mailbox, as in mail_marks. Null for a mail that was queued before this column, or to nobody.
ALTER TABLE mails ADD COLUMN mark BLOB CHECK (length(mark) = 32);
UPDATE mails SET urgent = 1 WHERE kind IN ('confirm', 'moved', 'recovery');
DROP INDEX mails_due;
CREATE INDEX mails_due ON mails (urgent, due_at, seq);
CREATE INDEX mails_by_host ON mails (host, urgent);
CREATE INDEX mails_by_mark ON mails (mark, urgent) WHERE mark IS NOT NULL;
CREATE INDEX mails_by_end ON mails (ends_at);
