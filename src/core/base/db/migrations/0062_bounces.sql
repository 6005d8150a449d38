-- When the mail server said that the mailbox of the confirmed address takes no mail; null while it does.
ALTER TABLE mail_addresses ADD COLUMN bounced_at INTEGER;
