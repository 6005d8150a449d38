-- What moderators have hidden, newest first (docs/contract.md#4.13).
CREATE INDEX posts_hidden ON posts (hidden_at, id) WHERE hidden_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX jobs_hidden ON jobs (hidden_at, id) WHERE hidden_at IS NOT NULL;
CREATE INDEX prompts_hidden ON prompts (hidden_at, id) WHERE hidden_at IS NOT NULL AND removed_at IS NULL;
