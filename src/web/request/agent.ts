import type { LocaleMessages } from "../../locale/messages.ts";

/** The first match counts: most browsers also claim to be Chrome, and nearly all to be Safari. */
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

/** An iPad that requests desktop sites claims to be a Mac. The two cannot be distinguished. */
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
 * Describes a user agent as browser and system, so that members recognize their own browsers. A user agent
 * can claim anything.
 */
export function agentName({ account: { sessions: messages } }: LocaleMessages, agent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  if (browser === undefined) return system === undefined ? messages.unknown : messages.unknownOn({ system });
  return system === undefined ? browser : messages.browserOn({ browser, system });
}
