-- The optional parts of a profile. A member without these parts has no row.
CREATE TABLE profile_details (
  builder_id        TEXT NOT NULL PRIMARY KEY REFERENCES builders (id) ON DELETE CASCADE,
  place             TEXT NOT NULL DEFAULT '' CHECK (length(place) <= 80),
  links             TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(links)),
  pinned_project_id TEXT REFERENCES projects (id) ON DELETE SET NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX profile_details_by_project ON profile_details (pinned_project_id) WHERE pinned_project_id IS NOT NULL;
