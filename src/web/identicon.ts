/*
 * The identicon of a builder without a picture. It is computed only from the username, so every page shows
 * the same identicon and nothing is stored. Dark and light colours alternate, so it has contrast on every
 * background.
 */

/** The contrast to the light colours below is at least 4 to 1. Shapes need 3 to 1. */
export const COLOURS = [
  "#0b6e5f",
  "#a8321f",
  "#1f4e8c",
  "#6a3d8f",
  "#7a4a00",
  "#24463f",
  "#3a4656",
  "#8a2252",
];
export const LIGHT_COLOURS = ["#f4cf5b", "#f5f2e8", "#a9dccf", "#f6c7a8"];

/** Patterns over the first colour of the 32 by 32 area. They use the second dark colour or the light one. */
const PATTERNS: readonly ((colour: string, light: string) => string)[] = [
  (colour) => path(colour, "M16 0h16v32H16z"),
  (colour) => path(colour, "M0 16h32v16H0z"),
  (colour) => path(colour, "M0 0h32L0 32z"),
  (colour) => path(colour, "M16 0h16v16H0v16h16z"),
  (colour) => path(colour, "M0 32 16 12l16 20z"),
  (_, light) => path(light, "M0 0h7l25 25v7h-7L0 7z"),
  (_, light) => path(light, "M0 12h32v8H0z"),
  (_, light) => path(light, "M12 0h8v32h-8z"),
  (_, light) => path(light, "M13 0h6v13h13v6H19v13h-6V19H0v-6h13z"),
  (_, light) => path(light, "M0 0h32v7H0z"),
  (colour) => path(colour, "M4 0h5v32H4zM14 0h5v32h-5zM24 0h5v32h-5z"),
  (colour) => path(colour, "M0 3h32v5H0zM0 13h32v5H0zM0 23h32v5H0z"),
];

/** Symbols for the central circle, which has a radius of 10 units. */
const SYMBOLS: readonly string[] = [
  // A house, as in Guildhall's logo.
  "M16 9l6 5v8h-4v-4h-4v4h-4v-8z",
  // A star.
  "M16 9l2 4.4 4.8.5-3.6 3.2 1 4.8-4.2-2.4-4.2 2.4 1-4.8-3.6-3.2 4.8-.5z",
  // A hammer.
  "M11 10h10v4h-3.5v9h-3v-9H11z",
  // A key.
  "M16 9a3.5 3.5 0 0 1 1.3 6.7V18H20v2h-2.7v1.4H20v2h-5.3v-7.7A3.5 3.5 0 0 1 16 9z",
  // A tower.
  "M11 10h2v2h2v-2h2v2h2v-2h2v4h-1v9h-2.5v-3a1.5 1.5 0 0 0-3 0v3H12v-9h-1z",
  // A hexagon.
  "M16 9l6 3.5v7L16 23l-6-3.5v-7z",
  // A crescent.
  "M18.5 9.5a7 7 0 1 0 0 13 5.5 5.5 0 1 1 0-13z",
  // A lozenge.
  "M16 9l5 7-5 7-5-7z",
  // A bolt.
  "M18 8.5l-7 8.5h4l-1 6.5 7-8.5h-4z",
  // An anvil.
  "M10 11h12v3c-3 0-4 1.5-4 3.5V19h2.5v3h-9v-3H14v-1.5C14 15 12 14 10 14z",
  // A drop of ink.
  "M16 8.5c3 4 4.5 6.2 4.5 9a4.5 4.5 0 0 1-9 0c0-2.8 1.5-5 4.5-9z",
  // A leaf.
  "M22 10c0 8-3.5 12-9 12l-2 2-1-1.5 1.5-2C10 14 14 10 22 10z",
];

/** Returns the content of an `svg` element of 32 by 32. The stylesheet or `identiconFile` rounds it. */
export function drawIdenticon(username: string): string {
  let state = digest(username);
  const one = <Value>(values: readonly Value[]): Value => {
    state = mix(state);
    return values[state % values.length] as Value;
  };
  const field = one(COLOURS);
  const other = one(COLOURS.filter((colour) => colour !== field));
  const light = one(LIGHT_COLOURS);
  const pattern = one(PATTERNS)(other, light);
  const ring = `<circle cx="16" cy="16" r="10" fill="${light}" stroke="${field}"/>`;
  return path(field, "M0 0h32v32H0z") + pattern + ring + path(field, one(SYMBOLS));
}

/** Returns the symbol of a word: a path in the middle of 32 by 32. */
export function symbolPath(word: string): string {
  return SYMBOLS[mix(digest(word)) % SYMBOLS.length] as string;
}

/** Returns the identicon as an SVG file in the shape of a shield. */
export function identiconFile(username: string): string {
  const shield = "M2 1h28a1 1 0 0 1 1 1v14c0 8-6 12.5-15 15C7 28.5 1 24 1 16V2a1 1 0 0 1 1-1z";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="256" height="256"><clipPath id="s"><path d="${shield}"/></clipPath><g clip-path="url(#s)">${drawIdenticon(username)}</g></svg>`;
}

function path(fill: string, d: string): string {
  return `<path fill="${fill}" d="${d}"/>`;
}

/** FNV-1a. The result must never change. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** The next number of a xorshift sequence. */
function mix(from: number): number {
  let next = from || 1;
  next ^= next << 13;
  next ^= next >>> 17;
  next ^= next << 5;
  return next >>> 0;
}
