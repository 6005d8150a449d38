/** Widths of stored pictures, in pixels: for bylines, phones, pages, and pages on high-density screens. */
export const WIDTHS: readonly number[] = [160, 480, 960, 1920];

/**
 * Returns the stored widths of a picture whose largest width is `width`, ascending. Smaller standard widths
 * are first, and `width` is last.
 */
export function widthsOf(width: number): number[] {
  return [...WIDTHS.filter((each) => each < width), width];
}
