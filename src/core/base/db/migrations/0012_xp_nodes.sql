-- A line of a builder's ledger by its id.
CREATE INDEX xp_entries_by_id ON xp_entries (builder_id, id);
