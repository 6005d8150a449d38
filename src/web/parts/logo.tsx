/** @jsxImportSource @kitajs/html */
import { pathOf } from "../../core/community/media/media.ts";
import { widthsOf } from "../../core/community/media/widths.ts";
import type { Core } from "../../core/base/core.ts";
import { findLogo } from "../../core/identity/community-settings/community-settings.ts";

/** Wide enough on a sharp screen: at the head of a page, and on a page of its own. */
const SMALL = 160;
const LARGE = 480;

/** The community's logo beside its name, which says what it is; nothing where it has none. */
export function Logo({ core, isLarge = false }: { core: Core; isLarge?: boolean }) {
  const drawn = logoImage(core, isLarge ? LARGE : SMALL);
  if (!drawn) return "";
  const { path, width, height } = drawn;
  return (
    <img
      class={isLarge ? "logo logo-large" : "logo"}
      src={path}
      alt=""
      width={String(width)}
      height={String(height)}
    />
  );
}

/** The logo in the smallest size that is as wide as `least`, or its own; undefined where there is none. */
export function logoImage(
  core: Core,
  least: number,
): { path: string; width: number; height: number } | undefined {
  const logo = found(core);
  if (!logo) return undefined;
  const width = widthsOf(logo.width).find((each) => each >= least) ?? logo.width;
  const height = Math.max(1, Math.round((logo.height * width) / logo.width));
  return { path: pathOf(logo.hash, width), width, height };
}

/** A page that tells of a database that does not answer is told all the same. */
function found(core: Core) {
  try {
    return findLogo(core);
  } catch {
    return undefined;
  }
}
