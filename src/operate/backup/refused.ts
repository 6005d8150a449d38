/**
 * A backup, a place for one, or a restore is refused. The message is one line that says what to do; nothing
 * was changed.
 */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}
