-- How each day (UTC) was, for those who run the community: counts and times, nobody's name.

CREATE TABLE daily_figures (
  starts_at      INTEGER PRIMARY KEY,
  -- What was made on this day has been counted up to here; null until that is begun.
  counted_to     INTEGER,
  sign_ups       INTEGER NOT NULL DEFAULT 0,
  posts          INTEGER NOT NULL DEFAULT 0,
  replies        INTEGER NOT NULL DEFAULT 0,
  jobs           INTEGER NOT NULL DEFAULT 0,
  prompts        INTEGER NOT NULL DEFAULT 0,
  -- Attempts of deliveries.
  acknowledged   INTEGER NOT NULL DEFAULT 0,
  failed         INTEGER NOT NULL DEFAULT 0,
  -- Null for a day on which no server counted them.
  active         INTEGER,
  -- How many answers took so many seconds at most, and longer than the bound before, in JSON: {"0.001":20,"+Inf":1}.
  reads          TEXT NOT NULL DEFAULT '{}',
  writes         TEXT NOT NULL DEFAULT '{}',
  -- Requests that were answered by a 5xx.
  faults         INTEGER NOT NULL DEFAULT 0,
  -- As they last were on this day.
  database_bytes INTEGER,
  free_bytes     INTEGER
) STRICT;

-- Who was here since a moment.
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at, builder_id);
CREATE INDEX tokens_by_last_use ON tokens (last_used_at, builder_id) WHERE last_used_at IS NOT NULL;
CREATE INDEX grants_by_last_use ON grants (last_used_at, builder_id) WHERE last_used_at IS NOT NULL;
