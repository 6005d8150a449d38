-- Events by whom they are for and by type: a reader walks the types that they may read, and passes over nothing of the others.
DROP INDEX events_of_workspace;
CREATE INDEX events_by_audience ON events (workspace_id, builder_id, type, id);
