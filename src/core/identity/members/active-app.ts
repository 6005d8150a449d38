/**
 * SQL condition: the app `a` is active. An active app is not suspended, and its workspace has an owner who is
 * not suspended. A personal workspace has one owner, its builder. Restoring a suspended owner reactivates the
 * app with all its grants.
 */
export const APP_IS_ACTIVE = `a.suspended_at IS NULL AND EXISTS (
    SELECT 1 FROM workspace_members am CROSS JOIN builders ab ON ab.id = am.builder_id
    WHERE am.workspace_id = a.workspace_id AND am.role = 'owner' AND ab.suspended_at IS NULL)`;
