/** @jsxImportSource @kitajs/html */
import { pathOf } from "../../core/community/media/media.ts";
import { widthsOf } from "../../core/community/media/widths.ts";
import type { Core } from "../../core/base/core.ts";
import { findLogo } from "../../core/identity/community-settings/community-settings.ts";

/** Widths for high-density screens: in the head of a page, and on the page about the community. */
const SMALL = 160;
const LARGE = 480;

/** The community's logo, beside the community's name. Empty if there is no logo. */
export function Logo({ core, isLarge = false }: { core: Core; isLarge?: boolean }) {
  const image = logoImage(core, isLarge ? LARGE : SMALL);
  if (!image) return "";
  const { path, width, height } = image;
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

/**
 * Returns the smallest size of the logo that is at least `least` wide, or else its original size. Undefined
 * without a logo.
 */
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

/** If the database fails, the error page is rendered without a logo. */
function found(core: Core) {
  try {
    return findLogo(core);
  } catch {
    return undefined;
  }
}
