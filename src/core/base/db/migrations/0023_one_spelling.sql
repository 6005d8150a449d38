-- A host name with a dot at its end is the same name: one endpoint, one spelling. Where a workspace has both, both stay as they are.
UPDATE OR IGNORE webhook_endpoints
SET url = 'https://' || replace(substr(url, 9, instr(substr(url, 9), '/') - 1) || '/', '.:', ':') || substr(url, 9 + instr(substr(url, 9), '/'))
WHERE substr(url, 9, instr(substr(url, 9), '/') - 1) GLOB '*.:*';
UPDATE OR IGNORE webhook_endpoints
SET url = 'https://' || substr(url, 9, instr(substr(url, 9), '/') - 2) || substr(url, 8 + instr(substr(url, 9), '/'))
WHERE substr(url, 9, instr(substr(url, 9), '/') - 1) GLOB '*.' AND url GLOB 'https://*';
