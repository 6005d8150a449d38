/**
 * Whether the app `a` may work: neither is it suspended, nor everybody who owns its workspace, which in a
 * personal one is its builder alone. Restored owners bring it back with all it was granted. The owners are
 * read from an index.
 */
export const APP_WORKS = `a.suspended_at IS NULL AND EXISTS (
    SELECT 1 FROM workspace_members am CROSS JOIN builders ab ON ab.id = am.builder_id
    WHERE am.workspace_id = a.workspace_id AND am.role = 'owner' AND ab.suspended_at IS NULL)`;
