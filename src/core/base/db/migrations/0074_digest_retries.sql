-- Whether digest_at is when a digest is tried again that had no room, and no morning at eight.
ALTER TABLE mail_addresses ADD COLUMN digest_retried INTEGER NOT NULL DEFAULT 0 CHECK (digest_retried IN (0, 1));
