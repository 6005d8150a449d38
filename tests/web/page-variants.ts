import type { Language } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { giveRole } from "../../src/core/identity/accounts/administration.ts";
import { changeProfile } from "../../src/core/community/profiles/profiles.ts";
import { pagesOf } from "../../src/web/pages/index.ts";
import { MOVED } from "../browser.ts";
import { callerOf, furnish, isOfCrew } from "./sample-site.ts";
import { faultsOf, type Hand, sitDown, TOO_WIDE } from "./keyboard.ts";
import { openSite, signedInAs, sessionCookie, type Site, visit } from "./support.ts";

/** One way in which somebody may see a page. */
export interface Look {
  language: Language;
  /** `forced`: in colours of the reader's own, as Windows does it. */
  colours: "light" | "dark" | "forced";
  /** CSS pixels. */
  width: 390 | 1280;
}

export const LOOKS: readonly Look[] = (["en", "de", "es"] as const).flatMap((language) =>
  (["light", "dark", "forced"] as const).flatMap((colours) =>
    ([390, 1280] as const).map((width) => ({ language, colours, width })),
  ),
);

/** A page, for one who sees it. */
export interface Sight {
  /** Nobody who has signed in, a member with one of everything, or the owner. */
  who: "stranger" | "ada" | "root";
  route: string;
  path: string;
  status: number;
}

/** A community that is full of everything, and all that it shows. */
export interface Shown extends AsyncDisposable {
  site: Site;
  sights: readonly Sight[];
}

/** A word that nobody can break, beside ordinary ones: what makes narrow pages too wide. */
const WORDS = "Tidewater ".repeat(4) + "Donaudampfschifffahrtsgesellschaftskapitän".slice(0, 20);

const ENV = {
  // As long as one may be.
  GUILDHALL_NAME: "Werkstattgemeinschaft am Donauufer Enns",
  // Nothing is sent there: the forms are shown that are there where there is a mail server.
  GUILDHALL_SMTP_URL: "smtp://127.0.0.1:1025",
  GUILDHALL_MAIL_FROM: "guild@example.org",
};

/** The longest that somebody may have, and one that is read from the right. */
const NAMES = {
  ada: "Freifrau Adelheid-Wilhelmine von Hohenschwangau-Schnabelewopski zu Donaueschingen-Fürstenfeldbruck d. J.".slice(
    0,
    100,
  ),
  root: "عبد الرحمن بن محمد الخوارزمي, حارس البيت",
};

/**
 * Every page of the route table: the public ones for all three, those of members for one who has something of
 * each kind, the admins' for the owner.
 */
export async function show(): Promise<Shown> {
  const site = openSite({ signup: "open", env: ENV });
  const { pathOf } = await furnish(site, WORDS);
  giveRole(site.core, OPERATOR, "root", "owner");
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
      // What is downloaded is no page, and what leads elsewhere is looked at there.
      if (location === null && !headers.has("content-disposition"))
        sights.push({ who, route: route.path, path: pathOf(route), status });
    }
  }
  return { site, sights, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}

/** Somebody who looks, in a tab of their own. */
export interface Looker extends Hand {
  /**
   * Sets how large letters are that no page says anything of, as a reader does in their browser; CSS pixels.
   */
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

/** All that is wrong with one page in one look. On a phone, everything that unfolds is unfolded. */
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
    // The narrowest screen there is, and letters of twice the size.
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

/** What the browser made of what was asked of it. */
const SEEN = `({
  language: document.documentElement.lang,
  isForced: matchMedia('(forced-colors: active)').matches,
  isDark: matchMedia('(prefers-color-scheme: dark)').matches,
})`;

/** What would move although the reader has asked that nothing does. */
const MOVING = `[...document.querySelectorAll('*')].flatMap((element) => {
  const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element);
  const lasts = (list) => list.split(',').some((time) => parseFloat(time) > 0.01);
  const moves = (animationName !== 'none' && lasts(animationDuration)) || lasts(transitionDuration) || scrollBehavior === 'smooth';
  return moves ? ['moves: ' + element.tagName + '.' + element.className] : [];
})`;

/** What is to be looked at, and how. */
export interface Round {
  sight: Sight;
  look: Look;
}

/**
 * Every page once, or one of so many pages, for one of those who see it: the looks go round, and so do they,
 * so that each of both occurs with each of the other.
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

/** Looks at every round, in a tab for each kind of visitor, and returns all faults. */
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

/** All pages, each in one of the looks. */
export async function oneLook(): Promise<{ looks: number; faults: string[] }> {
  await using shown = await show();
  const rounds = dealt(shown.sights);
  return { looks: rounds.length, faults: await lookAtAll(shown, rounds) };
}

/** All pages in all looks, each look in a community of its own: what an hour allows is not shared. */
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
