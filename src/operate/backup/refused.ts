/**
 * A backup, its destination or a restore was refused. The message is one line that says what to do. Nothing
 * was changed.
 */
export class BackupRefused extends Error {
  override name = "BackupRefused";
}
