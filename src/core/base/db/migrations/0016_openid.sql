-- ID tokens that every tool can read: RS256 beside Ed25519, which goes on signing access tokens.

ALTER TABLE signing_keys ADD COLUMN alg TEXT NOT NULL DEFAULT 'EdDSA' CHECK (alg IN ('EdDSA', 'RS256'));
-- One of each signs.
DROP INDEX signing_keys_live;
CREATE UNIQUE INDEX signing_keys_live ON signing_keys (alg) WHERE retired_at IS NULL;

-- How an app's ID tokens are signed. Those from before go on as they were; new ones begin with RS256.
ALTER TABLE apps ADD COLUMN id_token_alg TEXT NOT NULL DEFAULT 'EdDSA' CHECK (id_token_alg IN ('EdDSA', 'RS256'));
