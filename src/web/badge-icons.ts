/*
 * An icon for each badge. A rare badge looks like a wax seal, every other badge like an ink stamp. The
 * colours are in assets/badges.css, so icons follow dark mode, print and forced colours.
 */
import type { BadgeName, TierBadge } from "../core/community/xp/rules.ts";
import { symbolPath } from "./identicon.ts";

interface BadgeIcon {
  /** Whether the icon is a wax seal instead of an ink stamp. */
  isRare: boolean;
  /** The content of an `svg` element of 64 by 64. */
  drawing: string;
}

const mark = (d: string): string => `<path class="mark" d="${d}"/>`;
const rod = (width: number, d: string): string => `<path class="rod" stroke-width="${width}" d="${d}"/>`;
const turned = (by: number, inside: string): string => `<g transform="rotate(${by} 32 32)">${inside}</g>`;

/** The emblem of a streak: the number of days in a circle of rays. */
const days = (count: number, size: number): string =>
  `<circle class="rays" cx="32" cy="32" r="21.5"/><text x="32" y="${32 + size * 0.35}" font-size="${size}">${count}</text>`;

/** Rarest badge first. */
const EMBLEMS: Readonly<Record<BadgeName | TierBadge, string>> = {
  // A gable, and a star above it.
  grandmaster:
    mark("M32 12.5l1.7 3.6 3.9.5-2.9 2.7.8 3.9-3.5-1.9-3.5 1.9.8-3.9-2.9-2.7 3.9-.5z") +
    mark("M29 26h6v4h6v5h5v5h4v8H36v-5a4 4 0 0 0-8 0v5H14v-8h4v-5h5v-5h6z"),
  "streak-365": days(365, 17),
  // A gable with an open door.
  master: mark("M29 17h6v5h6v6h5v6h5v12H36v-7a4 4 0 0 0-8 0v7H13V34h5v-6h5v-6h6z"),
  "streak-100": days(100, 17),
  // A mallet and a chisel.
  artisan:
    turned(45, mark("M30.5 22h3v27h-3zM23.5 15h17v8.5h-17z")) +
    turned(-45, mark("M30 35h4v14h-4zM29.5 14h5v15l-1 5h-3l-1-5z")),
  // An anvil, and a spark.
  "prompt-smith":
    mark("M15 27h8v-2h26v6c-7 0-10 2-10 6v2h5v7H22v-7h5v-2c0-4-5-6-12-8z") +
    mark("M36 11l1.5 4.500L42 17l-4.5 1.500L36 23l-1.5-4.500L30 17l4.5-1.500z"),
  // A lantern.
  helper: mark(
    "M28.5 19a3.5 3.5 0 0 1 7 0v2H39l3 5v17l-3 5H25l-3-5V26l3-5h3.500zM26 27v15h12V27zM32 29c4 4.5 4 6 4 7.500a4 4 0 0 1-8 0c0-1.5 0-3 4-7.500z",
  ),
  "streak-30": days(30, 22),
  // A staff with a bundle.
  journeyman:
    rod(3.5, "M19 47 41 19") +
    mark("M35 25c4-5 12-4 13 2 1 7-5 12-11 10s-6-8-2-12z") +
    rod(2.5, "M33 21l7 6"),
  "streak-7": days(7, 26),
  // A trowel.
  apprentice: mark("M16 48l6-19 13 13z") + rod(3.5, "M29 35l6-6") + rod(7, "M36.5 27.500l7-7"),
  // A quill.
  "first-post": mark("M46 16c-13 0-23 9-24 22l-5 9 2.5 1.500L24 41c13 0 22-10 22-25zM25 36 39 22 27 38z"),
};

/** Badges that few members have. */
const RARE: ReadonlySet<string> = new Set(["grandmaster", "streak-365", "master", "streak-100"]);

/** The outline of poured wax: a slightly irregular circle. */
const WAX = mark(
  Array.from({ length: 60 }, (_, i) => {
    const angle = (i / 60) * 2 * Math.PI;
    const far = 29.5 + 1.3 * Math.sin(5 * angle + 1) + 0.8 * Math.sin(8 * angle);
    const at = (of: number) => (32 + far * of).toFixed(1);
    return `${i === 0 ? "M" : "L"}${at(Math.cos(angle))} ${at(Math.sin(angle))}`;
  }).join("") + "z",
).replace("mark", "wax");
const PRESSED = '<circle class="ring" cx="32" cy="32" r="25"/>';
const BEADS = '<circle class="beads" cx="32" cy="32" r="29.5"/>';

/**
 * Sorts a builder's badges: rare ones, then those given by hand, then the rest. The rarest comes first in
 * each group.
 */
export function sortBadges(badges: readonly string[]): string[] {
  const earned = Object.keys(EMBLEMS).filter((badge) => badges.includes(badge));
  return [
    ...earned.filter((badge) => RARE.has(badge)),
    ...badges.filter(isGiven),
    ...earned.filter((badge) => !RARE.has(badge)),
  ];
}

/**
 * Returns the icon of a badge. The icon depends only on the name. A badge that was given by hand shows a
 * symbol of the identicons.
 */
export function badgeIcon(badge: string): BadgeIcon {
  const isRare = RARE.has(badge) || isGiven(badge);
  const emblem = isGiven(badge)
    ? `<g transform="translate(2.4 2.4) scale(1.85)">${mark(symbolPath(badge))}</g>`
    : EMBLEMS[badge as BadgeName | TierBadge];
  return { isRare, drawing: (isRare ? WAX : BEADS) + PRESSED + emblem };
}

function isGiven(badge: string): boolean {
  return !Object.hasOwn(EMBLEMS, badge);
}
