-- The order of the member list by XP.
CREATE INDEX builders_by_xp ON builders (xp, id);
