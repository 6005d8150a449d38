-- Who leads, where a community stands on several machines (docs/adr/0064-followers.md). `epoch` counts the leaders that this database had;
-- `fenced_by` is the epoch of another one that leads in its place: from then on nothing of ours is written here.
CREATE TABLE leadership (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  epoch     INTEGER NOT NULL CHECK (epoch >= 1),
  fenced_by INTEGER CHECK (fenced_by > epoch)
) STRICT;
INSERT INTO leadership (id, epoch) VALUES (1, 1);
