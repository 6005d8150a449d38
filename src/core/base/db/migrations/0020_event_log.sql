-- How far the log of events goes. Its places are the ids, in the order of the commits, and none is ever given twice: also where the last
-- rows went with an account, all of them with time, or the machine's clock was set back.
CREATE TABLE event_log (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  last_id   TEXT NOT NULL,
  last_at   INTEGER NOT NULL,
  -- The last place that was dropped for its age: who comes from before it may have missed something.
  pruned_id TEXT NOT NULL
) STRICT;
INSERT INTO event_log (one, last_id, last_at, pruned_id)
SELECT 1, coalesce(max(id), ''), coalesce(max(created_at), 0), '' FROM events;
