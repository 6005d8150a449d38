/**
 * Returns a text in the letters a to z, in any case, and punctuation. The library has 540 kB of data, which
 * cost 4 MB of memory. So it loads at the first text that needs it.
 */
export function transliterate(text: string): string {
  const { default: anyAscii } = require("any-ascii") as typeof import("any-ascii");
  return anyAscii(text);
}
