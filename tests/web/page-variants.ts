import type { Language } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { pagesOf } from "../../src/web/pages/index.ts";
import { MOVED } from "../browser.ts";
import { callerOf, addSampleContent, isStaffPage } from "./sample-site.ts";
import { faultsOf, type KeyboardUser, openKeyboardUser, TOO_WIDE } from "./keyboard.ts";
import { openSite, signedInAs, sessionCookie, type Site, visit } from "./support.ts";

/** Language, colours and width in which a page is shown. */
export interface Variant {
  language: Language;
  /** `forced`: the reader's own colours, as in Windows high contrast mode. */
  colours: "light" | "dark" | "forced";
  width: 390 | 1280;
}

export const VARIANTS: readonly Variant[] = (["en", "de", "es"] as const).flatMap((language) =>
  (["light", "dark", "forced"] as const).flatMap((colours) =>
    ([390, 1280] as const).map((width) => ({ language, colours, width })),
  ),
);

/** A page as one kind of visitor sees it. */
export interface PageView {
  /** A guest, a member with one object of each type, or the owner. */
  viewer: "stranger" | "ada" | "root";
  route: string;
  path: string;
  status: number;
}

/** A community with content of every type, and all its pages. */
export interface SampleSite extends AsyncDisposable {
  site: Site;
  views: readonly PageView[];
}

/** A long word that cannot be wrapped, among short words. Such words make narrow pages too wide. */
const LONG_TEXT = "Tidewater ".repeat(4) + "Donaudampfschifffahrtsgesellschaftskapitän".slice(0, 20);

const ENV = {
  // This name has the maximum length.
  GUILDHALL_NAME: "Werkstattgemeinschaft am Donauufer Enns",
  // No mail is sent. The setting enables the forms that need a mail server.
  GUILDHALL_SMTP_URL: "smtp://127.0.0.1:1025",
  GUILDHALL_MAIL_FROM: "guild@example.org",
};

/** The longest possible name, and a right-to-left name. */
const NAMES = {
  ada: "Freifrau Adelheid-Wilhelmine von Hohenschwangau-Schnabelewopski zu Donaueschingen-Fürstenfeldbruck d. J.".slice(
    0,
    100,
  ),
  root: "عبد الرحمن بن محمد الخوارزمي, حارس البيت",
};

/**
 * Opens every page of the route table. Public pages are opened by all three visitors, member pages by ada,
 * admin pages by the owner.
 */
export async function openSampleSite(): Promise<SampleSite> {
  const site = openSite({ signup: "open", env: ENV });
  const { pathOf } = await addSampleContent(site, LONG_TEXT);
  changeRole(site.core, OPERATOR, "root", "owner");
  const visitors = { stranger: visit(site), ada: signedInAs(site, "ada"), root: signedInAs(site, "root") };
  for (const username of ["ada", "root"] as const)
    changeProfile(site.core, callerOf(site, visitors[username]), { name: NAMES[username] });
  const sights: PageView[] = [];
  for (const route of pagesOf(site.interactions)) {
    if (route.method !== "GET") continue;
    const isPublic = route.access === "anyone" || route.access === "reader";
    const viewers = isPublic
      ? (["stranger", "ada", "root"] as const)
      : ([isStaffPage(route) ? "root" : "ada"] as const);
    for (const viewer of viewers) {
      const { status, location, headers } = await visitors[viewer].open(pathOf(route));
      if (location === null && !headers.has("content-disposition"))
        sights.push({ viewer, route: route.path, path: pathOf(route), status });
    }
  }
  return { site, views: sights, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** A browser tab of a visitor. */
export interface VariantTab extends KeyboardUser {
  /** Sets the browser's default font size, in CSS pixels. */
  setFontSize(size: number): Promise<void>;
}

export async function openVariantTab(site: Site, viewer: PageView["viewer"]): Promise<VariantTab> {
  const user = await openKeyboardUser(site.core.origin, { width: 1280, colorScheme: "light", scripts: true });
  if (viewer !== "stranger") {
    const value = signedInAs(site, viewer).cookies.get(sessionCookie(site)) ?? "";
    await user.context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
  }
  const devtools = await user.context.newCDPSession(user.page);
  return {
    ...user,
    setFontSize: async (size) =>
      void (await devtools.send("Page.setFontSizes", {
        fontSizes: { standard: size, fixed: size * 0.8125 },
      })),
  };
}

/** Returns all faults of a page in one variant. On a narrow screen, all collapsed parts are opened. */
export async function checkVariant(
  user: VariantTab,
  { path, status }: PageView,
  variant: Variant,
): Promise<string[]> {
  const { page } = user;
  const { language, colours, width } = variant;
  const isForced = colours === "forced";
  const isDark = isForced ? width > 1000 : colours === "dark";
  await page.setExtraHTTPHeaders({ "accept-language": language });
  await page.emulateMedia({
    colorScheme: isDark ? "dark" : "light",
    forcedColors: isForced ? "active" : "none",
    reducedMotion: "reduce",
  });
  await page.setViewportSize({ width, height: 800 });
  const answer = await page.goto(path);
  const found: string[] = [];
  if (answer?.status() !== status) found.push(`answered ${answer?.status()} instead of ${status}`);
  let moved = await page.evaluate<number>(MOVED);
  // A display font that loads late may wrap a long heading differently. The page is then loaded again,
  // because first-screen.browser.test.ts tests late fonts.
  for (let reload = 0; moved !== 0 && (await page.evaluate(IS_FONT_LATE)) && reload < 3; reload++) {
    await page.reload();
    moved = await page.evaluate<number>(MOVED);
  }
  if (moved !== 0) found.push(`the content moved by ${moved}`);
  if (width === 390) await page.evaluate(OPEN_ALL_DETAILS);
  const applied = (await page.evaluate(APPLIED_SETTINGS)) as {
    language: string;
    isForced: boolean;
    isDark: boolean;
  };
  if (!Bun.deepEquals(applied, { language, isForced, isDark }))
    found.push(`applied settings: ${JSON.stringify(applied)}`);
  found.push(...((await page.evaluate(ANIMATED_ELEMENTS)) as string[]));
  found.push(...(await faultsOf(page)));
  found.push(...((await page.evaluate(TOO_WIDE)) as string[]).map((fault) => `too wide: ${fault}`));
  for (const [how, narrow] of [
    // The narrowest supported screen, and doubled text size.
    ["at 320 px", () => page.setViewportSize({ width: 320, height: 600 })],
    ["in large letters", () => user.setFontSize(32)],
  ] as const) {
    await narrow();
    found.push(...((await page.evaluate(TOO_WIDE)) as string[]).map((fault) => `too wide ${how}: ${fault}`));
    await page.setViewportSize({ width, height: 800 });
  }
  await user.setFontSize(16);
  found.push(...user.complaints.splice(0));
  return found;
}

/**
 * Whether the display font loaded too late for the first paint: less than a frame before the paint, or after
 * the paint.
 */
const IS_FONT_LATE = `(() => {
  const font = performance.getEntriesByType('resource').find(({ name }) => name.includes('.woff2'));
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return font !== undefined && paint !== undefined && font.responseEnd > paint.startTime - 16;
})()`;

const OPEN_ALL_DETAILS = "document.querySelectorAll('details').forEach((one) => (one.open = true))";

/** Reports the settings that the browser applied. */
const APPLIED_SETTINGS = `({
  language: document.documentElement.lang,
  isForced: matchMedia('(forced-colors: active)').matches,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
})`;

/** Finds elements that move although the reader prefers reduced motion. */
const ANIMATED_ELEMENTS = `[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element);
  const lasts = (list) => list.split(',').some((time) => parseFloat(time) > 0.01);
  const moves = (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration) || scrollBehavior === 'smooth';
  return moves ? ['moves: ' + element.tagName + '.' + element.className] : [];
})`;

export interface Round {
  sight: PageView;
  look: Variant;
}

/**
 * Picks every page, or one of `oneOf` pages, for one of its visitors. Variants and visitors rotate, so that
 * all combinations occur.
 */
export function pickVariants(sights: readonly PageView[], oneOf = 1): Round[] {
  const pages = [...Map.groupBy(sights, ({ route }) => route).values()].filter(
    (_, page) => page % oneOf === 0,
  );
  let shared = 0;
  return pages.map((viewers, page) => {
    const sight = viewers[viewers.length > 1 ? shared++ % viewers.length : 0] as PageView;
    return { sight, look: VARIANTS[page % VARIANTS.length] as Variant };
  });
}

/** Checks every round, with one tab per kind of visitor. Returns all faults. */
export async function checkVariants(
  { site }: SampleSite,
  rounds: readonly Round[],
  progress: (done: number) => void = () => {},
): Promise<string[]> {
  const found: string[] = [];
  let done = 0;
  const checkAs = async (viewer: PageView["viewer"], ownRounds: readonly Round[]) => {
    const looker = await openVariantTab(site, viewer);
    for (const { sight, look } of ownRounds) {
      const description = [sight.route, viewer, look.language, look.colours, look.width].join(" ");
      found.push(...(await checkVariant(looker, sight, look)).map((fault) => `${description}: ${fault}`));
      progress(++done);
    }
    await looker.context.close();
  };
  const byViewer = Map.groupBy(rounds, ({ sight }) => sight.viewer);
  await Promise.all([...byViewer].map(([who, ownRounds]) => checkAs(who, ownRounds)));
  return found;
}

export async function checkOneVariant(): Promise<{ variants: number; faults: string[] }> {
  await using sample = await openSampleSite();
  const rounds = pickVariants(sample.views);
  return { variants: rounds.length, faults: await checkVariants(sample, rounds) };
}

/** Checks all pages in all variants. Each variant has its own community, so hourly limits are not shared. */
export async function checkAllVariants(
  progress: (text: string) => void,
): Promise<{ variants: number; faults: string[] }> {
  const faults: string[] = [];
  let checked = 0;
  for (const variant of VARIANTS) {
    await using sample = await openSampleSite();
    const rounds = sample.views.map((sight) => ({ sight, look: variant }));
    faults.push(...(await checkVariants(sample, rounds, (done) => progress(`${checked + done} variants`))));
    checked += rounds.length;
  }
  return { variants: checked, faults };
}
