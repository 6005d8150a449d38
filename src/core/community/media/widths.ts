/** Widths of stored pictures, in pixels: for bylines, phones, pages, and pages on high-density screens. */
export const WIDTHS: readonly number[] = [160, 480, 960, 1920];

/**
 * Returns the stored widths of a picture with this largest width, ascending. Smaller standard widths come
 * first, and the picture's own width is last.
 */
export function widthsOf(width: number): number[] {
  return [...WIDTHS.filter((each) => each < width), width];
}
