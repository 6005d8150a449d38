/**
 * Whether this is `bun run drill`, where tests run all cases or many repetitions. The suite runs a small
 * part.
 */
export const isDrill = Bun.env["GUILDHALL_DRILL"] === "1";

export function sized<Size>(small: Size, large: Size): Size {
  return isDrill ? large : small;
}
