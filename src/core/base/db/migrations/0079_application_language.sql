-- The program checks a language against its own list: a new one needs no migration. SQLite drops no CHECK, so the table
-- is rebuilt.
CREATE TABLE applications_rebuilt (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'apl_*'),
  -- Nobody else's while it waits.
  username     TEXT NOT NULL UNIQUE CHECK (length(username) BETWEEN 1 AND 32),
  name         TEXT NOT NULL CHECK (length(name) <= 100),
  -- Of the password; null once it is that of a builder.
  hash         TEXT CHECK (hash GLOB '$argon2id$*'),
  why          TEXT NOT NULL CHECK (length(why) <= 1000),
  state        TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'declined')),
  -- The admin's message with the answer.
  word         TEXT NOT NULL DEFAULT '' CHECK (length(word) <= 1000),
  -- The account that it became.
  builder_id   TEXT REFERENCES builders (id) ON DELETE CASCADE,
  -- By which a browser sees how it stands: SHA-256.
  seat         BLOB UNIQUE CHECK (length(seat) = 32),
  -- Where the answer goes by mail, and the SHA-256 of the token in the link that confirms it.
  mail         TEXT CHECK (length(mail) BETWEEN 3 AND 254),
  mail_hash    BLOB UNIQUE CHECK (length(mail_hash) = 32),
  mail_is_sure INTEGER NOT NULL DEFAULT 0 CHECK (mail_is_sure IN (0, 1)),
  -- Where it was sent from; empty once it is decided.
  address      TEXT NOT NULL,
  -- In which the applicant reads.
  language     TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  -- By the steady time: a clock that is set ahead ends nothing.
  ends_at      INTEGER NOT NULL,
  CHECK ((state = 'approved') = (hash IS NULL))
) STRICT;
INSERT INTO applications_rebuilt (id, username, name, hash, why, state, word, builder_id, seat, mail, mail_hash,
  mail_is_sure, address, language, created_at, ends_at)
SELECT id, username, name, hash, why, state, word, builder_id, seat, mail, mail_hash,
  mail_is_sure, address, language, created_at, ends_at FROM applications;
DROP TABLE applications;
ALTER TABLE applications_rebuilt RENAME TO applications;
CREATE INDEX applications_by_state ON applications (state, id);
CREATE INDEX applications_by_address ON applications (address, ends_at);
CREATE INDEX applications_by_end ON applications (ends_at);
CREATE INDEX applications_by_builder ON applications (builder_id);
