-- What a report is about, as it was when it was reported (docs/contract.md#4.13). A copy outlives the thing and its author, and goes
-- thirty days after the decision.
CREATE TABLE report_copies (
  report_id TEXT NOT NULL PRIMARY KEY REFERENCES reports (id) ON DELETE CASCADE,
  -- Empty for a post, reply or message: their text has it.
  title     TEXT NOT NULL,
  text      TEXT NOT NULL,
  -- What it said when the same member reported it again, behind the title if that was another one; null if it said the same.
  later     TEXT,
  -- The author, also of an account that is deleted: no foreign key. Null where it is the operator's.
  owner_id  TEXT,
  username  TEXT
) STRICT;

INSERT INTO report_copies (report_id, title, text, owner_id, username)
SELECT r.id, '', coalesce(v.text, p.text), p.author_id, b.username
FROM reports r
JOIN posts p ON p.id = r.subject_id AND p.removed_at IS NULL
LEFT JOIN post_revisions v ON v.id = coalesce(r.revision_id, 'rev_' || substr(p.id, 6))
LEFT JOIN builders b ON b.id = p.author_id AND b.removed_at IS NULL
WHERE r.settled_at IS NULL;

INSERT INTO report_copies (report_id, title, text, owner_id, username)
SELECT r.id, j.title, j.description || char(10, 10) || j.apply_url, j.published_by, b.username
FROM reports r
JOIN jobs j ON j.id = r.subject_id
LEFT JOIN builders b ON b.id = j.published_by AND b.removed_at IS NULL
WHERE r.settled_at IS NULL;

INSERT INTO report_copies (report_id, title, text, owner_id, username)
SELECT r.id, p.title, p.body, p.author_id, b.username
FROM reports r
JOIN prompts p ON p.id = r.subject_id AND p.removed_at IS NULL
LEFT JOIN builders b ON b.id = p.author_id AND b.removed_at IS NULL
WHERE r.settled_at IS NULL;

INSERT INTO report_copies (report_id, title, text, owner_id, username)
SELECT r.id, b.username, trim(b.name || char(10, 10) || b.bio, char(10)), b.id, b.username
FROM reports r
JOIN builders b ON b.id = r.subject_id AND b.removed_at IS NULL
WHERE r.settled_at IS NULL;

INSERT INTO report_copies (report_id, title, text, owner_id, username)
SELECT r.id, '', m.text, m.sender_id, b.username
FROM reports r
JOIN messages m ON m.id = r.subject_id
LEFT JOIN builders b ON b.id = m.sender_id AND b.removed_at IS NULL
WHERE r.settled_at IS NULL;
