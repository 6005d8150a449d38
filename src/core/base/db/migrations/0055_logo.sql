-- The community's logo: a picture of the folder `media`, by the name of its content and its largest size. It belongs to
-- nobody: whoever has sent it may go, and it stays.
ALTER TABLE charter ADD COLUMN logo TEXT CHECK (length(logo) = 40 AND logo NOT GLOB '*[^0-9a-f]*');
ALTER TABLE charter ADD COLUMN logo_width INTEGER CHECK (logo_width > 0 AND (logo_width IS NULL) = (logo IS NULL));
ALTER TABLE charter ADD COLUMN logo_height INTEGER CHECK (logo_height > 0 AND (logo_height IS NULL) = (logo IS NULL));
