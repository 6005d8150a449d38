-- Apps that builders let in: the apps, what each builder granted them, and what the OAuth server has to remember.

CREATE TABLE apps (
  id               TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'app_*'),
  workspace_id     TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  created_by       TEXT REFERENCES builders (id) ON DELETE SET NULL,
  name             TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  homepage         TEXT CHECK (length(homepage) <= 2048),
  -- A public app (on a phone, in a browser) can keep no secret.
  kind             TEXT NOT NULL CHECK (kind IN ('confidential', 'public')),
  -- SHA-256 of the client secret, which is 32 random bytes; and of the one before, while a rotation is open.
  secret_hash      BLOB CHECK (length(secret_hash) = 32),
  previous_hash    BLOB CHECK (length(previous_hash) = 32),
  previous_until   INTEGER,
  redirect_uris    TEXT NOT NULL CHECK (json_type(redirect_uris) = 'array'),
  -- The most it may ask for; space-separated.
  scopes           TEXT NOT NULL,
  -- Enterprise rates, per minute and burst, where an admin has set them.
  rate_sustained   INTEGER CHECK (rate_sustained > 0),
  rate_burst       INTEGER CHECK (rate_burst > 0),
  created_at       INTEGER NOT NULL,
  suspended_at     INTEGER,
  suspended_reason TEXT,
  CHECK ((kind = 'confidential') = (secret_hash IS NOT NULL)),
  CHECK ((previous_hash IS NULL) = (previous_until IS NULL)),
  CHECK ((rate_sustained IS NULL) = (rate_burst IS NULL)),
  CHECK ((suspended_at IS NULL) = (suspended_reason IS NULL))
) STRICT;
CREATE INDEX apps_by_workspace ON apps (workspace_id, id);
CREATE INDEX apps_by_creator ON apps (created_by);

-- What a builder allows an app, in one workspace. Revoking deletes nothing: a token of it must find it revoked.
CREATE TABLE grants (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'grant_*'),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  app_id       TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
  scopes       TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
-- One live grant for each builder and app.
CREATE UNIQUE INDEX grants_live ON grants (builder_id, app_id) WHERE revoked_at IS NULL;
CREATE INDEX grants_by_builder ON grants (builder_id, id);
CREATE INDEX grants_by_app ON grants (app_id, id);
CREATE INDEX grants_by_workspace ON grants (workspace_id);
CREATE INDEX grants_revoked ON grants (revoked_at) WHERE revoked_at IS NOT NULL;

-- What the OAuth server remembers between two requests: interactions, codes, device codes, refresh tokens.
CREATE TABLE oauth_records (
  model          TEXT NOT NULL,
  -- SHA-256 of the record's id, which is the code or token itself.
  id_hash        BLOB NOT NULL CHECK (length(id_hash) = 32),
  -- Sealed: what is inside names accounts and carries nonces.
  payload        BLOB NOT NULL,
  grant_id       TEXT REFERENCES grants (id) ON DELETE CASCADE,
  -- All that comes from one authorization: its code, and every refresh token after it. They end together.
  family         TEXT,
  -- SHA-256 of the code that a person types in for a device.
  user_code_hash BLOB,
  consumed_at    INTEGER,
  -- Of a refresh token that was used: the one that took its place, sealed, for a client that lost the answer.
  successor      BLOB,
  expires_at     INTEGER NOT NULL,
  PRIMARY KEY (model, id_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_records_by_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_records_by_family ON oauth_records (family) WHERE family IS NOT NULL;
CREATE INDEX oauth_records_by_user_code ON oauth_records (user_code_hash) WHERE user_code_hash IS NOT NULL;
CREATE INDEX oauth_records_by_expiry ON oauth_records (expires_at);

-- Access tokens revoked before they end, by their own id or by their family's; one of a revoked grant needs no row.
CREATE TABLE revoked_tokens (
  id         TEXT NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX revoked_tokens_by_expiry ON revoked_tokens (expires_at);

-- The keys that sign access tokens. A retired one verifies until the last token it signed has ended.
CREATE TABLE signing_keys (
  kid        TEXT NOT NULL PRIMARY KEY,
  -- The private JWK, sealed with the key file.
  sealed     BLOB NOT NULL,
  public_jwk TEXT NOT NULL CHECK (json_type(public_jwk) = 'object'),
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;
-- One signs.
CREATE UNIQUE INDEX signing_keys_live ON signing_keys (retired_at IS NULL) WHERE retired_at IS NULL;
