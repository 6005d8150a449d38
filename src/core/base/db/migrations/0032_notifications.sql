-- What members are told of, and what each wants to be told of.

CREATE TABLE notifications (
  -- Counts up as things are told, in the order of the commits, and is never given twice: who sends them on walks along it.
  place        INTEGER PRIMARY KEY AUTOINCREMENT,
  id           TEXT NOT NULL UNIQUE CHECK (id GLOB 'ntf_*'),
  builder_id   TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind         TEXT NOT NULL,
  subject_type TEXT NOT NULL,
  subject_id   TEXT NOT NULL,
  -- What is told beside who and of what: a reason, a level. '' where nothing is.
  about        TEXT NOT NULL DEFAULT '',
  -- The id under which it began: a group that grows gets a new place and id, and keeps this.
  group_id     TEXT NOT NULL,
  -- How many facts were ever noted in it.
  noted        INTEGER NOT NULL DEFAULT 1 CHECK (noted > 0),
  -- Of the newest of them.
  created_at   INTEGER NOT NULL,
  read_at      INTEGER
) STRICT;
CREATE INDEX notifications_of_builder ON notifications (builder_id, place);
CREATE INDEX notifications_unread ON notifications (builder_id, place) WHERE read_at IS NULL;
CREATE INDEX notifications_of_kind ON notifications (builder_id, kind, place);
CREATE INDEX notifications_by_subject ON notifications (subject_id, kind, builder_id);
CREATE INDEX notifications_by_group ON notifications (group_id);

-- The facts that one tells of: in a group one for each of many, else one.
CREATE TABLE notification_facts (
  group_id TEXT NOT NULL,
  -- What tells it apart from the others: who did it, in most kinds.
  fact     TEXT NOT NULL,
  -- Null for what nobody did whom one would name.
  actor_id TEXT REFERENCES builders (id) ON DELETE CASCADE,
  -- The place that the notification had with it.
  place    INTEGER NOT NULL,
  PRIMARY KEY (group_id, fact)
) STRICT, WITHOUT ROWID;
CREATE INDEX notification_facts_by_place ON notification_facts (group_id, place);
CREATE INDEX notification_facts_of_actor ON notification_facts (actor_id) WHERE actor_id IS NOT NULL;

-- Neither is there without the other, however one of them goes. While a group moves to its new place, it is there twice.
CREATE TRIGGER notifications_gone AFTER DELETE ON notifications
WHEN NOT EXISTS (SELECT 1 FROM notifications WHERE group_id = OLD.group_id)
BEGIN DELETE FROM notification_facts WHERE group_id = OLD.group_id; END;

CREATE TRIGGER notification_facts_gone AFTER DELETE ON notification_facts
WHEN NOT EXISTS (SELECT 1 FROM notification_facts WHERE group_id = OLD.group_id)
BEGIN DELETE FROM notifications WHERE group_id = OLD.group_id; END;

-- What a member has chosen; a kind that is not here is as it is by default.
CREATE TABLE notification_settings (
  builder_id TEXT NOT NULL REFERENCES builders (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  reach      TEXT NOT NULL CHECK (reach IN ('off', 'here', 'push', 'mail')),
  PRIMARY KEY (builder_id, kind)
) STRICT, WITHOUT ROWID;
