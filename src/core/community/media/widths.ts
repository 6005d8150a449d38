/** How wide a picture is kept, in pixels: for a byline, a phone, a page, and a page on a sharp screen. */
export const WIDTHS: readonly number[] = [160, 480, 960, 1920];

/** Those of a picture that is so wide at its largest, ascending: none wider than itself, and its own last. */
export function widthsOf(width: number): number[] {
  return [...WIDTHS.filter((each) => each < width), width];
}
