-- When the address was confirmed; null for one from an earlier version.
ALTER TABLE mail_addresses ADD COLUMN confirmed_at INTEGER;
-- From when the address recovers the account, by the steady time; 0 for an address from sign-up.
ALTER TABLE mail_addresses ADD COLUMN recovers_at INTEGER NOT NULL DEFAULT 0;
