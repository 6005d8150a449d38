import type { Language } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { pagesOf } from "../../src/web/pages/index.ts";
import { MOVED } from "../browser.ts";
import { callerOf, furnish, isOfCrew } from "./sample-site.ts";
import { faultsOf, type Hand, sitDown, TOO_WIDE } from "./keyboard.ts";
import { openSite, signedInAs, sessionCookie, type Site, visit } from "./support.ts";

/** Language, colors and width in which a page is shown. */
export interface Look {
  language: Language;
  /** `forced`: the reader's own colors, as in Windows high contrast mode. */
  colours: "light" | "dark" | "forced";
  width: 390 | 1280;
}

export const LOOKS: readonly Look[] = (["en", "de", "es"] as const).flatMap((language) =>
  (["light", "dark", "forced"] as const).flatMap((colours) =>
    ([390, 1280] as const).map((width) => ({ language, colours, width })),
  ),
);

/** A page as one kind of visitor sees it. */
export interface Sight {
  /** A guest, a member with one object of each type, or the owner. */
  who: "stranger" | "ada" | "root";
  route: string;
  path: string;
  status: number;
}

/** A community with content of every type, and all its pages. */
export interface Shown extends AsyncDisposable {
  site: Site;
  sights: readonly Sight[];
}

/** A long word that cannot be wrapped, among short words. Such words make narrow pages too wide. */
const WORDS = "Tidewater ".repeat(4) + "Donaudampfschifffahrtsgesellschaftskapitän".slice(0, 20);

const ENV = {
  // The maximum length.
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
export async function show(): Promise<Shown> {
  const site = openSite({ signup: "open", env: ENV });
  const { pathOf } = await furnish(site, WORDS);
  changeRole(site.core, OPERATOR, "root", "owner");
  const visitors = { stranger: visit(site), ada: signedInAs(site, "ada"), root: signedInAs(site, "root") };
  for (const who of ["ada", "root"] as const)
    changeProfile(site.core, callerOf(site, visitors[who]), { name: NAMES[who] });
  const sights: Sight[] = [];
  for (const route of pagesOf(site.interactions)) {
    if (route.method !== "GET") continue;
    const isPublic = route.access === "anyone" || route.access === "reader";
    const seers = isPublic
      ? (["stranger", "ada", "root"] as const)
      : ([isOfCrew(route) ? "root" : "ada"] as const);
    for (const who of seers) {
      const { status, location, headers } = await visitors[who].open(pathOf(route));
      if (location === null && !headers.has("content-disposition"))
        sights.push({ who, route: route.path, path: pathOf(route), status });
    }
  }
  return { site, sights, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** A visitor with an own tab. */
export interface Looker extends Hand {
  /** Sets the browser's default font size, in CSS pixels. */
  letter(size: number): Promise<void>;
}

export async function sitBefore(site: Site, who: Sight["who"]): Promise<Looker> {
  const hand = await sitDown(site.core.origin, { width: 1280, colorScheme: "light", scripts: true });
  if (who !== "stranger") {
    const value = signedInAs(site, who).cookies.get(sessionCookie(site)) ?? "";
    await hand.context.addCookies([{ name: sessionCookie(site), value, url: site.core.origin }]);
  }
  const devtools = await hand.context.newCDPSession(hand.page);
  return {
    ...hand,
    letter: async (size) =>
      void (await devtools.send("Page.setFontSizes", {
        fontSizes: { standard: size, fixed: size * 0.8125 },
      })),
  };
}

/** Returns all faults of a page in one variant. On a narrow screen, all collapsed parts are opened. */
export async function lookAt(hand: Looker, { path, status }: Sight, look: Look): Promise<string[]> {
  const { page } = hand;
  const { language, colours, width } = look;
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
  if (answer?.status() !== status) found.push(`answered ${answer?.status()}, and not ${status}`);
  let moved = await page.evaluate<number>(MOVED);
  // first-screen.browser.test.ts tests a late display font. It can wrap a long heading differently, so such a
  // load of a busy machine does not count.
  for (let reload = 0; moved !== 0 && (await page.evaluate(IS_FONT_LATE)) && reload < 3; reload++) {
    await page.reload();
    moved = await page.evaluate<number>(MOVED);
  }
  if (moved !== 0) found.push(`what was read moved by ${moved}`);
  if (width === 390) await page.evaluate(UNFOLD);
  const seen = (await page.evaluate(SEEN)) as { language: string; isForced: boolean; isDark: boolean };
  if (!Bun.deepEquals(seen, { language, isForced, isDark })) found.push(`seen as ${JSON.stringify(seen)}`);
  found.push(...((await page.evaluate(MOVING)) as string[]));
  found.push(...(await faultsOf(page)));
  found.push(...((await page.evaluate(TOO_WIDE)) as string[]).map((fault) => `too wide: ${fault}`));
  for (const [how, narrow] of [
    // The narrowest supported screen, and doubled text size.
    ["at 320 px", () => page.setViewportSize({ width: 320, height: 600 })],
    ["in large letters", () => hand.letter(32)],
  ] as const) {
    await narrow();
    found.push(...((await page.evaluate(TOO_WIDE)) as string[]).map((fault) => `too wide ${how}: ${fault}`));
    await page.setViewportSize({ width, height: 800 });
  }
  await hand.letter(16);
  found.push(...hand.complaints.splice(0));
  return found;
}

/**
 * Whether the display font arrived too late for the first paint: less than a frame before it, or after it.
 */
const IS_FONT_LATE = `(() => {
  const font = performance.getEntriesByType('resource').find(({ name }) => name.includes('.woff2'));
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return font !== undefined && paint !== undefined && font.responseEnd > paint.startTime - 16;
})()`;

const UNFOLD = "document.querySelectorAll('details').forEach((one) => (one.open = true))";

/** Reports the settings that the browser applied. */
const SEEN = `({
  language: document.documentElement.lang,
  isForced: matchMedia('(forced-colors: active)').matches,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
})`;

/** Finds elements that move although the reader prefers reduced motion. */
const MOVING = `[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element);
  const lasts = (list) => list.split(',').some((time) => parseFloat(time) > 0.01);
  const moves = (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration) || scrollBehavior === 'smooth';
  return moves ? ['moves: ' + element.tagName + '.' + element.className] : [];
})`;

export interface Round {
  sight: Sight;
  look: Look;
}

/**
 * Picks every page, or one of `oneOf` pages, for one of its visitors. Variants and visitors rotate, so that
 * all combinations occur.
 */
export function dealt(sights: readonly Sight[], oneOf = 1): Round[] {
  const pages = [...Map.groupBy(sights, ({ route }) => route).values()].filter(
    (_, page) => page % oneOf === 0,
  );
  let shared = 0;
  return pages.map((seers, page) => {
    const sight = seers[seers.length > 1 ? shared++ % seers.length : 0] as Sight;
    return { sight, look: LOOKS[page % LOOKS.length] as Look };
  });
}

/** Checks every round, with one tab per kind of visitor. Returns all faults. */
export async function lookAtAll(
  { site }: Shown,
  rounds: readonly Round[],
  progress: (done: number) => void = () => {},
): Promise<string[]> {
  const found: string[] = [];
  let done = 0;
  const lookAs = async (who: Sight["who"], mine: readonly Round[]) => {
    const looker = await sitBefore(site, who);
    for (const { sight, look } of mine) {
      const called = [sight.route, who, look.language, look.colours, look.width].join(" ");
      found.push(...(await lookAt(looker, sight, look)).map((fault) => `${called}: ${fault}`));
      progress(++done);
    }
    await looker.context.close();
  };
  const byViewer = Map.groupBy(rounds, ({ sight }) => sight.who);
  await Promise.all([...byViewer].map(([who, mine]) => lookAs(who, mine)));
  return found;
}

export async function oneLook(): Promise<{ looks: number; faults: string[] }> {
  await using shown = await show();
  const rounds = dealt(shown.sights);
  return { looks: rounds.length, faults: await lookAtAll(shown, rounds) };
}

/** Checks all pages in all variants. Each variant has its own community, so hourly limits are not shared. */
export async function looks(told: (words: string) => void): Promise<{ looks: number; faults: string[] }> {
  const faults: string[] = [];
  let looked = 0;
  for (const look of LOOKS) {
    await using shown = await show();
    const rounds = shown.sights.map((sight) => ({ sight, look }));
    faults.push(...(await lookAtAll(shown, rounds, (done) => told(`${looked + done} looks`))));
    looked += rounds.length;
  }
  return { looks: looked, faults };
}
