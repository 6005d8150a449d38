-- Links in mails about added access: "this was not me" (docs/contract.md#9.1.1). The token is in the mail alone.
CREATE TABLE not_me_links (
  hash       BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- Where the mail went. The link makes it the account's address again.
  address    TEXT NOT NULL CHECK (length(address) BETWEEN 3 AND 254),
  -- What was added, and under which name.
  what       TEXT NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL,
  -- Null until the button was pressed; a second press only leads to the new password once more.
  used_at    INTEGER
) STRICT;
CREATE INDEX not_me_links_by_builder ON not_me_links (builder_id);
CREATE INDEX not_me_links_by_end ON not_me_links (ends_at);
-- The address before this one, and until when (steady time) security notices go there.
ALTER TABLE mail_addresses ADD COLUMN former TEXT;
ALTER TABLE mail_addresses ADD COLUMN former_until INTEGER;
-- Since when it was the member's; null where it did not recover the account yet.
ALTER TABLE mail_addresses ADD COLUMN former_since INTEGER;
CREATE INDEX mail_addresses_former ON mail_addresses (former_until) WHERE former_until IS NOT NULL;
