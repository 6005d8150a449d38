import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import sparticuz, { inflate } from "@sparticuz/chromium";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";

/** The package contains Chromium for Linux on x64 only. */
export const hasChromium = process.platform === "linux" && process.arch === "x64";

/** Path of the Chromium binary, and the environment variables that its process needs. */
export interface Chromium {
  executablePath: string;
  env: Record<string, string>;
}

/**
 * Unpacks Chromium from the npm package, with its bundled libraries and fonts. A bare machine has neither.
 * The result is cached in node_modules/.cache. The folder is renamed only when it is complete, because
 * parallel test files or an aborted run could leave half of it.
 */
export async function unpacked(): Promise<Chromium> {
  const home = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  const caches = join(import.meta.dir, "../node_modules/.cache");
  const folder = join(caches, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(caches, { recursive: true });
    const draft = mkdtempSync(join(caches, "chromium-draft-"));
    await unpack(join(home, "bin"), draft);
    // The package's own fonts.conf names folders that exist only in a cloud function.
    writeFileSync(join(draft, "fonts.conf"), `<fontconfig><dir>${folder}/fonts</dir></fontconfig>`);
    try {
      renameSync(draft, folder);
    } catch {
      // Another test file has unpacked Chromium meanwhile.
      rmSync(draft, { recursive: true });
    }
  }
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: [join(folder, "al2023/lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":"),
      FONTCONFIG_FILE: join(folder, "fonts.conf"),
    },
  };
}

let shared: Promise<Browser> | undefined;

/**
 * Opens a separate browser context, by default without service workers, because Playwright does not route
 * their requests. All contexts of a process share one Chromium, which ends with the process.
 */
export async function newContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  shared ??= launchShared();
  return (await shared).newContext({ serviceWorkers: "block", ...options });
}

async function launchShared(): Promise<Browser> {
  const forget = (): void => (shared = undefined);
  try {
    // Bun kills Chromium when the test that started it times out. The next test then starts a new one.
    return (await launch()).on("disconnected", forget);
  } catch (error) {
    forget();
    throw error;
  }
}

/** Closes all contexts. Call this after the last test of a file, because an open page keeps working. */
export async function closeContexts(): Promise<void> {
  for (const context of (await shared)?.contexts() ?? []) await context.close();
}

/** Starts a Chromium. The caller closes it. */
export async function launch(): Promise<Browser> {
  const { executablePath, env } = await unpacked();
  return chromium.launch({
    executablePath,
    // Replaces the package's own list of flags, which disables web security and puts all pages into one
    // process.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--font-render-hinting=none",
      // A test leaves a page too soon for optimised code to pay off.
      "--js-flags=--no-opt --no-maglev",
    ],
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
}

/**
 * Unpacks into `folder`. The package reads TMPDIR synchronously when called, so TMPDIR is restored right
 * after the calls.
 */
async function unpack(bin: string, folder: string): Promise<void> {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  const work = [sparticuz.executablePath(bin), inflate(join(bin, "al2023.tar.br"))];
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await Promise.all(work);
}

export const REPORT_VIOLATIONS =
  "addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective))";
export const WIDTHS = "[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]";

/**
 * Texts whose contrast with their background is below 4.5:1, the WCAG 2.2 AA limit (1.4.3), at any font size.
 */
export const FAINT_TEXTS = `(() => {
  // Chromium reports a mixed colour with components from 0 to 1.
  const parse = (text) => text.match(/[\\d.]+/g).map((part, i) => part * (i < 3 && text.startsWith('color(') ? 255 : 1));
  const luminance = ([r, g, b]) => [r, g, b]
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const ground = parse(getComputedStyle(at).backgroundColor);
      if (ground.length === 3 || ground[3] === 1) return ground;
    }
    return [255, 255, 255];
  };
  // As it is drawn, where it is not all opaque.
  const blend = (ink, ground, alpha) => ink.slice(0, 3).map((v, i) => v * alpha + ground[i] * (1 - alpha));
  const faint = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility()) continue;
    // In a picture, shapes are the ground of the text.
    if (element.closest('svg[role=img]')) continue;
    const ink = parse(getComputedStyle(element).color);
    // What is drawn by other means than its letters.
    if (ink[3] === 0) continue;
    let alpha = ink[3] ?? 1;
    for (let at = element; at; at = at.parentElement) alpha *= getComputedStyle(at).opacity;
    // What appears only with the pointer or the focus.
    if (alpha === 0) continue;
    const ground = groundOf(element);
    const pair = [blend(ink, ground, alpha), ground].map(luminance).sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < 4.5) faint.add(element.className + ' ' + walker.currentNode.data.trim() + ' ' + contrast.toFixed(2));
  }
  return [...faint];
})()`;

/** Cumulative layout shift since the page was opened, as Core Web Vitals define it. */
export const MOVED = `new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (moved += value)))
    .observe({ type: "layout-shift", buffered: true });
  // Behind the frame in which the last shift would have been drawn.
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(moved), 50)));
})`;
