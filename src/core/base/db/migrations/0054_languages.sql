-- What a member is spoken to in, as BCP 47 names it; null: pages as their browser says, all else as the community does.
ALTER TABLE builders ADD COLUMN language TEXT;
