import { OperatorError } from "../../core/base/operator-error.ts";

/**
 * A backup, its destination or a restore was refused. The message is one line that says what to do. Nothing
 * was changed.
 */
export class BackupRefused extends OperatorError {
  override name = "BackupRefused";
}
