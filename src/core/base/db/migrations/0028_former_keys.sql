-- Keys that were derived from a master key before it was rotated: what they signed goes on counting for a while.
CREATE TABLE former_keys (
  purpose     TEXT NOT NULL,
  -- Of the master key that it came from.
  fingerprint TEXT NOT NULL,
  sealed      BLOB NOT NULL,
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (purpose, fingerprint)
) STRICT, WITHOUT ROWID;
