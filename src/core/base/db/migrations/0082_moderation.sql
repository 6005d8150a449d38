-- The moderators' desk (docs/contract.md#12.37): cases, decisions, appeals, restrictions and what brakes hold.

-- One case per thing or member: everything reported, hidden, held or decided about it.
CREATE TABLE cases (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'case_*'),
  -- A post, job, prompt, message or builder. It may be deleted meanwhile.
  subject_id TEXT NOT NULL UNIQUE,
  -- The member whom the case is about; null for content of the operator and of a deleted account.
  builder_id TEXT REFERENCES builders (id) ON DELETE SET NULL,
  -- When the case was opened last.
  opened_at  INTEGER NOT NULL,
  -- Null while the case is open.
  closed_at  INTEGER,
  cause      TEXT NOT NULL CHECK (cause IN ('report', 'act', 'brake')),
  -- The moderator who works on it.
  taken_by   TEXT REFERENCES builders (id) ON DELETE SET NULL,
  taken_at   INTEGER,
  -- Counts the decisions. A decision made on an older version is refused.
  version    INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX cases_open ON cases (opened_at, id) WHERE closed_at IS NULL;
CREATE INDEX cases_closed ON cases (closed_at, id) WHERE closed_at IS NOT NULL;
CREATE INDEX cases_by_builder ON cases (builder_id, id) WHERE builder_id IS NOT NULL;
CREATE INDEX cases_by_taker ON cases (taken_by) WHERE taken_by IS NOT NULL;

-- Everything reported so far, and everything hidden or suspended without a report.
INSERT INTO cases (id, subject_id, opened_at, closed_at, cause)
SELECT 'case_' || substr(min(id), 5), subject_id,
       coalesce(min(CASE WHEN settled_at IS NULL THEN created_at END), min(created_at)),
       CASE WHEN count(*) = count(settled_at) THEN max(settled_at) END, 'report'
FROM reports GROUP BY subject_id;

INSERT INTO cases (id, subject_id, opened_at, closed_at, cause)
SELECT 'case_' || substr(id, instr(id, '_') + 1), id, at, at, 'act'
FROM (SELECT id, hidden_at AS at FROM posts WHERE hidden_at IS NOT NULL AND removed_at IS NULL
      UNION ALL SELECT id, hidden_at FROM jobs WHERE hidden_at IS NOT NULL
      UNION ALL SELECT id, hidden_at FROM prompts WHERE hidden_at IS NOT NULL AND removed_at IS NULL
      UNION ALL SELECT id, suspended_at FROM builders WHERE suspended_at IS NOT NULL AND removed_at IS NULL)
WHERE id NOT IN (SELECT subject_id FROM cases) AND id NOT IN (SELECT subject_id FROM hidden_by_deletion);

UPDATE cases SET builder_id = coalesce(
  (SELECT id FROM builders WHERE id = subject_id), (SELECT author_id FROM posts WHERE id = subject_id),
  (SELECT published_by FROM jobs WHERE id = subject_id), (SELECT author_id FROM prompts WHERE id = subject_id),
  (SELECT sender_id FROM messages WHERE id = subject_id));

-- A notification of open reports counts cases.
UPDATE OR REPLACE notification_facts
SET fact = (SELECT c.id FROM reports r JOIN cases c ON c.subject_id = r.subject_id WHERE r.id = fact)
WHERE fact IN (SELECT id FROM reports);

CREATE TABLE case_notes (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'note_*'),
  case_id    TEXT NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  author_id  TEXT REFERENCES builders (id) ON DELETE SET NULL,
  text       TEXT NOT NULL CHECK (length(text) <= 2000),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX case_notes_by_case ON case_notes (case_id, id);
CREATE INDEX case_notes_by_author ON case_notes (author_id) WHERE author_id IS NOT NULL;

-- Reports by people without an account. The address for the answer is deleted with the answer.
CREATE TABLE stranger_reports (
  id         TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'srp_*'),
  subject_id TEXT NOT NULL,
  reason     TEXT NOT NULL CHECK (length(reason) <= 500),
  -- What the thing said when it was reported; null once the report was settled a while ago.
  title      TEXT,
  text       TEXT,
  mail       TEXT CHECK (length(mail) BETWEEN 3 AND 254),
  -- A keyed mark of the network address, so that it has one open report about the thing. Null once settled.
  mark       BLOB CHECK (length(mark) = 32),
  language   TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  settled_at INTEGER,
  outcome    TEXT CHECK (outcome IN ('upheld', 'dismissed'))
) STRICT;
CREATE INDEX stranger_reports_by_subject ON stranger_reports (subject_id, id);
CREATE UNIQUE INDEX stranger_reports_by_mark ON stranger_reports (subject_id, mark) WHERE mark IS NOT NULL;
CREATE INDEX stranger_reports_open ON stranger_reports (id) WHERE settled_at IS NULL;
CREATE INDEX stranger_reports_settled ON stranger_reports (settled_at, id) WHERE settled_at IS NOT NULL;

CREATE TABLE decisions (
  id           TEXT NOT NULL PRIMARY KEY CHECK (id GLOB 'dec_*'),
  -- The program checks an act against its own list, so that a new act needs no migration.
  act          TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  -- The member whom the decision concerns; null for content of the operator.
  builder_id   TEXT REFERENCES builders (id) ON DELETE CASCADE,
  -- Null for the operator, an automatic decision and a deleted moderator.
  moderator_id TEXT REFERENCES builders (id) ON DELETE SET NULL,
  is_automatic INTEGER NOT NULL DEFAULT 0 CHECK (is_automatic IN (0, 1)),
  reason       TEXT NOT NULL DEFAULT '' CHECK (length(reason) <= 500),
  -- The heading of the rule in the community's rules, as it was then.
  rule         TEXT NOT NULL DEFAULT '' CHECK (length(rule) <= 200),
  -- Null for good.
  until        INTEGER,
  -- What an undo needs, as JSON.
  undo         TEXT NOT NULL DEFAULT '{}',
  created_at   INTEGER NOT NULL,
  undone_at    INTEGER,
  undone_by    TEXT REFERENCES builders (id) ON DELETE SET NULL
) STRICT;
CREATE INDEX decisions_by_subject ON decisions (subject_id, id);
CREATE INDEX decisions_by_builder ON decisions (builder_id, id) WHERE builder_id IS NOT NULL;
CREATE INDEX decisions_by_moderator ON decisions (moderator_id, id) WHERE moderator_id IS NOT NULL;
CREATE INDEX decisions_by_act ON decisions (act, id);
CREATE INDEX decisions_undone ON decisions (id) WHERE undone_at IS NOT NULL;
CREATE INDEX decisions_by_undoer ON decisions (undone_by, undone_at, id) WHERE undone_by IS NOT NULL;

CREATE TABLE appeals (
  decision_id TEXT NOT NULL PRIMARY KEY REFERENCES decisions (id) ON DELETE CASCADE,
  text        TEXT NOT NULL CHECK (length(text) <= 2000),
  created_at  INTEGER NOT NULL,
  decided_at  INTEGER,
  decided_by  TEXT REFERENCES builders (id) ON DELETE SET NULL,
  outcome     TEXT CHECK (outcome IN ('granted', 'denied')),
  answer      TEXT NOT NULL DEFAULT '' CHECK (length(answer) <= 2000)
) STRICT, WITHOUT ROWID;
CREATE INDEX appeals_open ON appeals (created_at, decision_id) WHERE decided_at IS NULL;
CREATE INDEX appeals_decided ON appeals (decided_at, decision_id) WHERE decided_at IS NOT NULL;
CREATE INDEX appeals_by_decider ON appeals (decided_by, decided_at) WHERE decided_by IS NOT NULL;

-- Sessions of suspended members, who can only read the decision and appeal: SHA-256 of the cookie.
CREATE TABLE appeal_sessions (
  hash       BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  ends_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX appeal_sessions_by_builder ON appeal_sessions (builder_id, ends_at);
CREATE INDEX appeal_sessions_by_end ON appeal_sessions (ends_at);

-- What a member may not do now. `builders.suspended_at` still says that a member is suspended.
CREATE TABLE restrictions (
  builder_id  TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind        TEXT NOT NULL CHECK (kind IN ('limited', 'suspended')),
  -- Null for good.
  until       INTEGER,
  decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
  PRIMARY KEY (builder_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX restrictions_by_until ON restrictions (until) WHERE until IS NOT NULL;
CREATE INDEX restrictions_by_decision ON restrictions (decision_id);

-- Conversations without new replies.
CREATE TABLE locked_threads (
  post_id     TEXT NOT NULL PRIMARY KEY REFERENCES posts (id) ON DELETE CASCADE,
  decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX locked_threads_by_decision ON locked_threads (decision_id);

-- Content that waits for a moderator. It is hidden, too.
CREATE TABLE held (
  subject_id TEXT NOT NULL PRIMARY KEY,
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('post', 'prompt', 'job')),
  -- The brake that held it, and the word, host or number that caused it.
  brake      TEXT NOT NULL,
  detail     TEXT NOT NULL DEFAULT '',
  -- Whether it was never public. Its XP, mentions and events begin at the approval.
  is_new     INTEGER NOT NULL CHECK (is_new IN (0, 1)),
  held_at    INTEGER NOT NULL,
  -- When a moderator decided against it. It is then hidden like any other content, and can still be approved.
  dismissed_at INTEGER,
  -- The builders whom its text mentioned before it was held, as JSON. They are not notified again.
  mentioned  TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;
CREATE INDEX held_of_builder ON held (builder_id, subject_id);

-- The removal of a spammer, while it hides, and while it can be undone.
CREATE TABLE spam_removals (
  builder_id  TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  decision_id TEXT NOT NULL UNIQUE REFERENCES decisions (id) ON DELETE CASCADE,
  state       TEXT NOT NULL CHECK (state IN ('hiding', 'hidden', 'restoring')),
  -- Until when it can be undone, in ms of steady time.
  ends_at     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spam_removals_by_state ON spam_removals (state, builder_id);
CREATE INDEX spam_removals_by_end ON spam_removals (ends_at);

CREATE TABLE hidden_by_removal (
  subject_id TEXT NOT NULL PRIMARY KEY,
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('post', 'prompt', 'job', 'thread')),
  -- Of a thread, who was in it, as JSON.
  members    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX hidden_by_removal_of_builder ON hidden_by_removal (builder_id, subject_id);

-- Link hosts of removed spammers hold posts, and their networks stop sign-ups, for 30 days of steady time.
CREATE TABLE held_hosts (
  host        TEXT NOT NULL,
  decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (host, decision_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_hosts_by_decision ON held_hosts (decision_id);
CREATE INDEX held_hosts_by_end ON held_hosts (ends_at);

CREATE TABLE held_networks (
  network     TEXT NOT NULL,
  decision_id TEXT NOT NULL REFERENCES decisions (id) ON DELETE CASCADE,
  ends_at     INTEGER NOT NULL,
  PRIMARY KEY (network, decision_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_networks_by_decision ON held_networks (decision_id);
CREATE INDEX held_networks_by_end ON held_networks (ends_at);

-- The network that a member signed up from, for 30 days. Times are in ms of steady time.
CREATE TABLE sign_ups (
  builder_id TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  network    TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_ups_by_network ON sign_ups (network, created_at);
CREATE INDEX sign_ups_by_time ON sign_ups (created_at);

-- Texts of newcomers within a day, to notice equal ones: SHA-256 of the letters of the text.
CREATE TABLE newcomer_texts (
  digest     BLOB NOT NULL CHECK (length(digest) = 32),
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  at         INTEGER NOT NULL,
  -- How often the newcomer wrote the text within the day.
  times      INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (digest, builder_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX newcomer_texts_of_builder ON newcomer_texts (builder_id);
CREATE INDEX newcomer_texts_by_time ON newcomer_texts (at);

-- Hosts that members who are not new have linked, with the time of the last link to the day.
CREATE TABLE known_hosts (
  host TEXT NOT NULL PRIMARY KEY,
  at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_hosts_by_time ON known_hosts (at);

-- The brakes, the legal pages, and the community's own links in the footer. Null is the default. Each new post reads
-- the brakes, which therefore come before the long texts.
ALTER TABLE charter ADD COLUMN hold_newcomer_links INTEGER CHECK (hold_newcomer_links IN (0, 1));
ALTER TABLE charter ADD COLUMN reports_to_hide INTEGER;
ALTER TABLE charter ADD COLUMN held_words TEXT;
ALTER TABLE charter ADD COLUMN held_link_hosts TEXT;
ALTER TABLE charter ADD COLUMN equal_texts INTEGER;
ALTER TABLE charter ADD COLUMN network_sign_ups INTEGER;
ALTER TABLE charter ADD COLUMN hourly_sign_ups INTEGER;
ALTER TABLE charter ADD COLUMN privacy TEXT;
ALTER TABLE charter ADD COLUMN terms TEXT;
ALTER TABLE charter ADD COLUMN imprint TEXT;
ALTER TABLE charter ADD COLUMN links TEXT;

-- The log of admins and moderators is filtered by actor and by act.
DROP INDEX audit_entries_by_actor;
CREATE INDEX audit_entries_by_actor ON audit_entries (actor_id, id);
CREATE INDEX audit_entries_by_act ON audit_entries (act, id);

-- A case shows its newest reports.
CREATE INDEX reports_by_subject ON reports (subject_id, id);

-- Hidden content is listed with all other content, by id.
DROP INDEX posts_hidden;
DROP INDEX jobs_hidden;
DROP INDEX prompts_hidden;
CREATE INDEX posts_hidden ON posts (id) WHERE hidden_at IS NOT NULL AND removed_at IS NULL;
CREATE INDEX jobs_hidden ON jobs (id) WHERE hidden_at IS NOT NULL;
CREATE INDEX prompts_hidden ON prompts (id) WHERE hidden_at IS NOT NULL AND removed_at IS NULL;

-- A notification of hidden content becomes one of the decision. A notification ends when the content is shown again, so
-- each of these decisions is in force.
INSERT INTO decisions (id, act, subject_id, builder_id, reason, created_at)
SELECT 'dec_' || substr(id, 5), 'hide', subject_id, builder_id, about, created_at
FROM notifications WHERE kind = 'hidden';
UPDATE notifications SET kind = 'decision', subject_type = 'decision', subject_id = 'dec_' || substr(id, 5)
WHERE kind = 'hidden';
UPDATE notification_settings SET kind = 'decision' WHERE kind = 'hidden';
