-- Experience as a ledger, streaks in the builder's own days, and more to say about a project.

-- Only ever appended to: what is taken back is an entry of its own. All totals below are sums of it.
CREATE TABLE xp_entries (
  -- The order in which they were written, whatever the clock said.
  seq        INTEGER PRIMARY KEY AUTOINCREMENT,
  id         TEXT NOT NULL CHECK (id GLOB 'xp_*'),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  rule       TEXT NOT NULL CHECK (length(rule) BETWEEN 1 AND 50),
  -- What it was for: a post, a prompt, a job, a day.
  subject_id TEXT NOT NULL CHECK (length(subject_id) BETWEEN 1 AND 50),
  -- Whose act gave it, such as the builder who likes; '' where it was their own.
  giver_id   TEXT NOT NULL DEFAULT '',
  cause      TEXT NOT NULL CHECK (cause IN ('earned', 'undone', 'hidden', 'restored')),
  points     INTEGER NOT NULL CHECK (CASE WHEN cause IN ('earned', 'restored') THEN points >= 0 ELSE points <= 0 END),
  -- The day (UTC, counted from the epoch) on which it was earned, also in the entry that takes it back: what counts against that day's cap.
  day        INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX xp_entries_by_builder ON xp_entries (builder_id, seq);
CREATE INDEX xp_entries_by_subject ON xp_entries (subject_id, builder_id, rule, giver_id, seq);

CREATE TRIGGER xp_entries_keep BEFORE UPDATE ON xp_entries
BEGIN SELECT RAISE(ABORT, 'the ledger is only appended to'); END;
-- It goes with the builder and not otherwise.
CREATE TRIGGER xp_entries_stay BEFORE DELETE ON xp_entries WHEN EXISTS (SELECT 1 FROM builders WHERE id = OLD.builder_id)
BEGIN SELECT RAISE(ABORT, 'the ledger is only appended to'); END;

-- The same by rule and day: how much of a day's cap is used, and how often a rule has given what still stands.
CREATE TABLE xp_days (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  rule       TEXT NOT NULL,
  day        INTEGER NOT NULL,
  points     INTEGER NOT NULL,
  times      INTEGER NOT NULL,
  PRIMARY KEY (builder_id, rule, day)
) STRICT, WITHOUT ROWID;

-- The highest level that was ever reached.
ALTER TABLE builders ADD COLUMN level INTEGER NOT NULL DEFAULT 1 CHECK (level >= 1);
UPDATE builders SET level = CASE WHEN xp >= 12000 THEN 6 WHEN xp >= 5000 THEN 5 WHEN xp >= 1500 THEN 4
                                 WHEN xp >= 500 THEN 3 WHEN xp >= 100 THEN 2 ELSE 1 END;

-- What was there before the ledger opens it.
INSERT INTO xp_entries (id, builder_id, rule, subject_id, cause, points, day, created_at)
SELECT 'xp_' || substr(id, 9), id, 'carried', id, 'earned', xp, created_at / 86400000, created_at FROM builders WHERE xp > 0;
INSERT INTO xp_entries (id, builder_id, rule, subject_id, cause, points, day, created_at)
SELECT 'xp_' || substr(builder_id, 9, 22) || format('%04d', row_number() OVER (PARTITION BY builder_id ORDER BY earned_at, badge)),
       builder_id, 'badge.given', badge, 'earned', 0, earned_at / 86400000, earned_at
FROM builder_badges ORDER BY earned_at, badge;
INSERT OR IGNORE INTO builder_badges (builder_id, badge, earned_at)
SELECT b.id, t.column2, b.created_at FROM builders b
CROSS JOIN (VALUES (2, 'apprentice'), (3, 'journeyman'), (4, 'artisan'), (5, 'master'), (6, 'grandmaster')) t
WHERE b.level >= t.column1;
INSERT INTO xp_days (builder_id, rule, day, points, times)
SELECT builder_id, rule, day, sum(points), sum(sign(points)) FROM xp_entries GROUP BY builder_id, rule, day;

-- Days in a row with activity, one row for each such row of days: the latest is the streak. Days are numbers in the builder's
-- own count (see time_zones).
ALTER TABLE builders DROP COLUMN streak_days;
CREATE TABLE streaks (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  first_day  INTEGER NOT NULL,
  last_day   INTEGER NOT NULL CHECK (last_day >= first_day),
  -- One for each day that there was; a place may skip a date.
  days       INTEGER NOT NULL CHECK (days BETWEEN 1 AND last_day - first_day + 1),
  PRIMARY KEY (builder_id, first_day)
) STRICT, WITHOUT ROWID;

-- Where a builder's days begin and end, since when. The number of a day is its date there, counted from the epoch, plus the offset, which
-- joins the days of one zone to those of the zone before without a gap. Before the first row it is UTC.
CREATE TABLE time_zones (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  since      INTEGER NOT NULL,
  zone       TEXT NOT NULL CHECK (length(zone) BETWEEN 1 AND 64),
  day_offset INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (builder_id, since)
) STRICT, WITHOUT ROWID;

ALTER TABLE projects ADD COLUMN url TEXT CHECK (length(url) <= 2048);
ALTER TABLE projects ADD COLUMN description TEXT CHECK (length(description) <= 1000);
