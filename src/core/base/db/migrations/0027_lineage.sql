-- Which write-ahead log belongs to this file (docs/adr/0040-whose-log.md): every commit of ours counts itself here, and so each log says of
-- which database it is and from which of its commits on. `promised` counts those alone that are on disk when they return; `cookie` is the
-- schema's as the commit found it, by which a copy made by SQLite is known. The columns and their order are read from the bytes of the page: src/keep/log-file.ts.
CREATE TABLE lineage (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  line     BLOB NOT NULL,
  commits  INTEGER NOT NULL,
  promised INTEGER NOT NULL,
  cookie   INTEGER NOT NULL
) STRICT;
INSERT INTO lineage (id, line, commits, promised, cookie) VALUES (1, randomblob(16), 0, 0, 0);
