-- A job is checked against every filter. The index of filters by their rarest word is not used any more.
DROP TABLE job_filter_anchors;
UPDATE job_matchings SET after_filter = '';
ALTER TABLE job_matchings DROP COLUMN after_key;
