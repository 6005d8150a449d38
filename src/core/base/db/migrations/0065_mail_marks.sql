-- One record of all mails that somebody else can cause, kept apart from the state that it limits.
ALTER TABLE invitation_mails RENAME TO mail_marks;
-- Why the mail was sent: see MARK_KINDS.
ALTER TABLE mail_marks ADD COLUMN kind TEXT NOT NULL DEFAULT 'invitation';
DROP INDEX invitation_mails_by_builder;
DROP INDEX invitation_mails_by_mark;
DROP INDEX invitation_mails_by_time;
CREATE INDEX mail_marks_by_builder ON mail_marks (builder_id, kind, created_at);
CREATE INDEX mail_marks_by_mark ON mail_marks (mark, created_at);
CREATE INDEX mail_marks_by_time ON mail_marks (created_at);
-- Recoveries are counted there, too.
ALTER TABLE mail_addresses DROP COLUMN recovery_at;
