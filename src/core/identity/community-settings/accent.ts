/*
 * The accent colour of the community (docs/contract.md#9.20). An admin chooses the accent for light mode. The
 * accent for dark mode is derived from it. Links, the main button and small marks use the accent. So text in
 * the accent colour must be readable on every background, and paper-coloured text must be readable on the
 * accent.
 */

/** Default accent: madder red. */
export const DEFAULT_ACCENT = "#93283a";

/** Page backgrounds, as in the stylesheet (src/web/assets/layout.css). */
export const BACKGROUNDS = {
  day: { paper: "#f8f4e9", leaf: "#fffdf6", sheet: "#efe8d7" },
  night: { paper: "#19140f", leaf: "#221b15", sheet: "#2c241c" },
} as const;

/** Minimum contrast of text (WCAG 2.2, 1.4.3, AA). Dark mode uses more. */
const READABLE = 4.5;
const READABLE_DARK = 6;

/** Share of the accent in a tinted background, as in the stylesheet. */
const TINT = 0.1;

/** Maximum chroma (OKLCH) in dark mode, so that colours do not tire the eyes. */
const DARK_CHROMA_MAX = 0.125;

/**
 * Returns the light and the dark accent as `#rrggbb`. An empty accent means the default. A colour too light
 * for light mode, such as an imported one, is darkened until its contrast is sufficient.
 */
export function accentTones(accent: string): { day: string; night: string } {
  const chosen = accent === "" ? DEFAULT_ACCENT : accent;
  const colour = toOklch(chosen);
  let day = chosen;
  for (let { light } = colour; light > 0 && lowContrastBackgrounds(day).length > 0;)
    day = hexOf({ ...colour, light: (light -= 0.01) });
  const muted = { ...colour, chroma: Math.min(colour.chroma, DARK_CHROMA_MAX) };
  let night = hexOf(muted);
  for (let { light } = colour; light < 1 && faint(night, BACKGROUNDS.night, READABLE_DARK).length > 0;)
    night = hexOf({ ...muted, light: (light += 0.01) });
  return { day, night };
}

/**
 * Returns the light backgrounds on which the colour, `#rrggbb`, has too little contrast. The list is empty
 * for an accepted accent.
 */
export function lowContrastBackgrounds(accent: string): string[] {
  return faint(accent, BACKGROUNDS.day, READABLE);
}

function faint(
  colour: string,
  grounds: Readonly<Record<string, string> & { paper: string }>,
  least: number,
): string[] {
  const all = { ...grounds, tinted: mix(grounds.paper, colour, TINT) };
  return Object.entries(all).flatMap(([name, ground]) => (contrastOf(colour, ground) < least ? [name] : []));
}

/** Returns the contrast ratio of two `#rrggbb` colours: 1 to 21 (WCAG 2.2, “contrast ratio”). */
export function contrastOf(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => linear(part / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Mixes two colours like `color-mix(in srgb, …)`. `share` is the part of the second colour. */
function mix(one: string, other: string, share: number): string {
  const others = partsOf(other);
  return hex(partsOf(one).map((part, i) => part * (1 - share) + (others[i] ?? 0) * share));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** A colour in OKLCH: lightness from 0 to 1, chroma, and hue in radians. */
interface Oklch {
  light: number;
  chroma: number;
  hue: number;
}

function toOklch(colour: string): Oklch {
  const [red, green, blue] = partsOf(colour).map((part) => linear(part / 255)) as [number, number, number];
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short;
  const light = 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short;
  return { light, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}

/** Converts to `#rrggbb`, clipped to what a screen can show. */
function hexOf({ light, chroma, hue }: Oklch): string {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)];
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const parts = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ];
  return hex(parts.map((part) => 255 * curved(Math.min(1, Math.max(0, part)))));
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function curved(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}
