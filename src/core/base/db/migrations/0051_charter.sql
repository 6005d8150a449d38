-- What the community says of itself: one row, and none until it has said something. Null is «not said»: what the
-- operator set then holds, or what is usual.
CREATE TABLE charter (
  one           INTEGER PRIMARY KEY CHECK (one = 1),
  name          TEXT CHECK (length(name) BETWEEN 1 AND 40),
  line          TEXT,
  welcome       TEXT,
  rules         TEXT,
  contact       TEXT,
  language      TEXT,
  zone          TEXT,
  front         TEXT CHECK (front IN ('feed', 'about')),
  reading       TEXT CHECK (reading IN ('everybody', 'members')),
  joining       TEXT CHECK (joining IN ('open', 'approval', 'invite', 'closed')),
  newcomer_days INTEGER CHECK (newcomer_days BETWEEN 0 AND 90),
  -- What somebody new is shown first.
  newcomer_post TEXT REFERENCES posts (id) ON DELETE SET NULL,
  accent        TEXT CHECK (accent GLOB '#[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]')
) STRICT;
CREATE INDEX charter_by_post ON charter (newcomer_post);
