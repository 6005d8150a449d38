import type { Words } from "../../locale/words.ts";

/** The first that fits: most of them also claim to be Chrome, and nearly all to be Safari. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\b(?:OP[RTX]|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bDdg\//, "DuckDuckGo"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSilk\//, "Silk"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\bHeadlessChrome\//, "Headless Chrome"],
  [/\b(?:Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/\bcurl\//, "curl"],
] as const;

/** An iPad that asks for sites as a computer says that it is a Mac, and cannot be told from one. */
const SYSTEMS = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/**
 * A browser's own name for itself in two words: enough to know one's own again. It can claim to be anything.
 */
export function agentInWords({ account: { sessions: words } }: Words, agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return system === undefined ? words.unknown : words.unknownOn({ system });
  return system === undefined ? browser : words.browserOn({ browser, system });
}
