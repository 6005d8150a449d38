-- Which browsers count as known: a mark made under another number than this one does not.

ALTER TABLE builders ADD COLUMN device_epoch INTEGER NOT NULL DEFAULT 0;
