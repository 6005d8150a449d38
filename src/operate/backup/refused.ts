/**
 * A backup, a place for one, or a restore is refused. The message is one line that says what to do; nothing
 * was changed.
 */
export class KeepRefused extends Error {
  override name = "KeepRefused";
}
