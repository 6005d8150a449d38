-- The job search takes ß for ss, ł for l, a ligature for its letters and full width for plain (src/core/fold.ts). What was indexed before is
-- indexed anew where it has such a letter, and saved filters are read in the same way.
CREATE TEMP TABLE fold_letters (i INTEGER PRIMARY KEY, letter TEXT NOT NULL, plain TEXT NOT NULL);
INSERT INTO fold_letters (letter, plain) VALUES
  ('ß', 'ss'), ('ẞ', 'ss'), ('æ', 'ae'), ('Æ', 'ae'), ('œ', 'oe'), ('Œ', 'oe'), ('ø', 'o'), ('Ø', 'o'), ('ł', 'l'), ('Ł', 'l'),
  ('đ', 'd'), ('Đ', 'd'), ('ð', 'd'), ('Ð', 'd'), ('þ', 'th'), ('Þ', 'th'), ('ı', 'i'),
  ('ﬀ', 'ff'), ('ﬁ', 'fi'), ('ﬂ', 'fl'), ('ﬃ', 'ffi'), ('ﬄ', 'ffl'), ('ﬅ', 'st'), ('ﬆ', 'st');
WITH RECURSIVE codes (code) AS (SELECT 33 UNION ALL SELECT code + 1 FROM codes WHERE code < 122)
INSERT INTO fold_letters (letter, plain)
SELECT char(code + 65248), char(code) FROM codes WHERE char(code) GLOB '[0-9A-Za-z+#]';

CREATE TEMP TABLE fold_jobs (seq INTEGER PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL);
-- Only what is longer in bytes than in letters has any of them, and few texts have any of full width: those after the 24th.
WITH RECURSIVE folded (seq, i, last, title, description) AS (
  SELECT seq, 0, iif(title || description GLOB '*[０-９Ａ-Ｚａ-ｚ＋＃]*', (SELECT max(i) FROM fold_letters), 24), title, description
  FROM jobs
  WHERE on_board = 1 AND length(CAST(title || description AS BLOB)) > length(title || description)
    AND title || description GLOB '*[ßæøðþıłđœÆØÐÞŁĐŒẞﬀ-ﬆ０-９Ａ-Ｚａ-ｚ＋＃]*'
  UNION ALL
  SELECT f.seq, l.i, f.last, replace(f.title, l.letter, l.plain), replace(f.description, l.letter, l.plain)
  FROM folded f CROSS JOIN fold_letters l ON l.i = f.i + 1
  WHERE f.i < f.last
)
INSERT INTO fold_jobs SELECT seq, title, description FROM folded WHERE i = last;

DELETE FROM job_search WHERE rowid IN (SELECT seq FROM fold_jobs);
DELETE FROM job_titles WHERE rowid IN (SELECT seq FROM fold_jobs);
INSERT INTO job_titles (rowid, title) SELECT seq, title FROM fold_jobs;
-- The tokens of the filters are those of `facetTokens`: U+E000, the kind, the value in hex.
INSERT INTO job_search (rowid, title, description, facets)
SELECT f.seq, f.title, f.description,
       coalesce((SELECT group_concat(char(57344) || 'stack' || lower(hex(value)), ' ') FROM json_each(j.stack)), '')
       || coalesce(' ' || char(57344) || 'city' || lower(hex(j.city)), '')
       || ' ' || char(57344) || 'remote' || lower(hex(iif(j.remote, 'true', 'false')))
       || ' ' || char(57344) || 'seniority' || lower(hex(j.seniority))
FROM fold_jobs f CROSS JOIN jobs j ON j.seq = f.seq;

CREATE TEMP TABLE fold_filters (id TEXT PRIMARY KEY, terms TEXT NOT NULL);
WITH RECURSIVE folded (id, i, terms) AS (
  SELECT id, 0, terms FROM job_filters WHERE terms GLOB '*[ßẞæÆœŒøØłŁđĐðÐþÞıﬀ-ﬆ０-９Ａ-Ｚａ-ｚ＋＃]*'
  UNION ALL
  SELECT f.id, l.i, replace(f.terms, l.letter, l.plain) FROM folded f CROSS JOIN fold_letters l ON l.i = f.i + 1
)
INSERT INTO fold_filters SELECT id, terms FROM folded WHERE i = (SELECT max(i) FROM fold_letters);
UPDATE job_filters SET terms = f.terms FROM fold_filters f WHERE job_filters.id = f.id;

-- What they stand under: a word, or a beginning of up to three letters.
CREATE TEMP TABLE fold_anchors (old TEXT NOT NULL, filter_id TEXT NOT NULL, key TEXT NOT NULL);
WITH RECURSIVE folded (old, filter_id, i, key) AS (
  SELECT a.key, a.filter_id, 0, a.key
  FROM fold_filters f CROSS JOIN job_filter_anchors a ON a.filter_id = f.id AND a.key GLOB '[wb]|*'
  UNION ALL
  SELECT f.old, f.filter_id, l.i, replace(f.key, l.letter, l.plain) FROM folded f CROSS JOIN fold_letters l ON l.i = f.i + 1
)
INSERT INTO fold_anchors
SELECT old, filter_id, iif(key GLOB 'b|*', substr(key, 1, 5), key) FROM folded WHERE i = (SELECT max(i) FROM fold_letters);
UPDATE job_filter_anchors SET key = f.key FROM fold_anchors f
WHERE job_filter_anchors.filter_id = f.filter_id AND job_filter_anchors.key = f.old;

-- What a job was on its way through has other keys now: from the beginning, as a match is told once all the same.
UPDATE job_matchings SET after_key = '', after_filter = '';

DROP TABLE temp.fold_anchors;
DROP TABLE temp.fold_filters;
DROP TABLE temp.fold_jobs;
DROP TABLE temp.fold_letters;
