-- How many mails of a kind wait, and since when, is read at each scrape of /metrics.
CREATE INDEX mails_by_kind ON mails (urgent, kind, created_at);
