-- Why an attempt was not acknowledged, as a code; the sentence is made from it and its params (JSON). Attempts from before have their
-- sentence in error, and no code.
ALTER TABLE attempts ADD COLUMN code TEXT;
ALTER TABLE attempts ADD COLUMN params TEXT;
