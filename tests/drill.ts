/**
 * Whether this is `bun run drill`: there a test takes all there is, or as often as it takes to be sure, and
 * in the suite a small case of the same.
 */
export const isDrill = Bun.env["GUILDHALL_DRILL"] === "1";

export function sized<Size>(small: Size, large: Size): Size {
  return isDrill ? large : small;
}
