-- How people come in: passwords, passkeys, sessions, one-time links; and what was done to whose account.

CREATE TABLE passwords (
  builder_id TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  hash       TEXT NOT NULL CHECK (hash GLOB '$argon2id$*'),
  changed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE passkeys (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'pky_*'),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  -- The credential's own id, as the authenticator sends it, in base64url.
  credential   TEXT NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1400),
  public_key   BLOB NOT NULL,
  -- Counts up in authenticators that count; 0 in those that do not.
  counter      INTEGER NOT NULL DEFAULT 0 CHECK (counter >= 0),
  transports   TEXT NOT NULL DEFAULT '[]' CHECK (json_type(transports) = 'array'),
  name         TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_by_builder ON passkeys (builder_id, id);

CREATE TABLE sessions (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'ses_*'),
  -- SHA-256 of the cookie's value; the value itself is nowhere.
  hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  address      TEXT NOT NULL,
  agent        TEXT NOT NULL CHECK (length(agent) <= 300),
  created_at   INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_builder ON sessions (builder_id, id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- One-time links: the first admin's, an invitation, a recovery, an invitation into a workspace.
CREATE TABLE links (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'lnk_*'),
  hash         BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  purpose      TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'recovery', 'workspace')),
  -- Whose password a recovery sets.
  builder_id   TEXT REFERENCES builders (id) ON DELETE CASCADE,
  -- Which workspace an invitation opens.
  workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
  created_by   TEXT REFERENCES builders (id) ON DELETE SET NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  used_at      INTEGER,
  CHECK ((purpose = 'recovery') = (builder_id IS NOT NULL)),
  CHECK ((purpose = 'workspace') = (workspace_id IS NOT NULL))
) STRICT;
CREATE INDEX links_by_builder ON links (builder_id);
CREATE INDEX links_by_workspace ON links (workspace_id);
CREATE INDEX links_by_creator ON links (created_by, id);
CREATE INDEX links_by_expiry ON links (expires_at);
CREATE INDEX links_unused ON links (purpose, id) WHERE used_at IS NULL;

-- Whether the community has an admin is asked at every start.
CREATE INDEX builders_admins ON builders (id) WHERE is_admin = 1;

CREATE TABLE audit_entries (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'aud_*'),
  -- Who did it; null for the operator at the command line, or where nobody had signed in yet.
  actor_id   TEXT REFERENCES builders (id) ON DELETE SET NULL,
  -- Whose account it is about: they see it, beside the admins.
  subject_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  act        TEXT NOT NULL CHECK (length(act) BETWEEN 1 AND 60),
  -- What it was done to, such as {"name": "my script"}. Never a secret.
  detail     TEXT NOT NULL DEFAULT '{}' CHECK (json_type(detail) = 'object'),
  -- Where from; null where no address is known.
  address    TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_entries_by_subject ON audit_entries (subject_id, id);
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id);

-- Which of its scopes a token has really needed, space-separated: its owner sees which it could do without.
ALTER TABLE tokens ADD COLUMN used_scopes TEXT NOT NULL DEFAULT '';

-- Since when a shared workspace is gone for everyone; its row stays until all that hangs on it is deleted.
ALTER TABLE workspaces ADD COLUMN removed_at INTEGER;
CREATE INDEX workspaces_removed ON workspaces (id) WHERE removed_at IS NOT NULL;
CREATE INDEX workspaces_shared ON workspaces (id) WHERE owner_id IS NULL;
