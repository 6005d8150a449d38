import { createHash } from "node:crypto";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { linksIn, shownTextIn } from "../../base/markdown.ts";
import { linesOf, tokensOf } from "../../base/held-lists.ts";
import type { Caller } from "../../identity/access/caller.ts";
import { brakesFrom, NEWCOMER_DAYS } from "../../identity/community-settings/community-settings.ts";
import {
  heldHostOf,
  hostAndParents,
  hostsNamedIn,
  linkHostsIn,
  writtenHostsIn,
} from "../../identity/held-hosts/held-hosts.ts";
import { hasQuotas } from "../../identity/quotas/quotas.ts";
import { countEqual, findBrakeFacts, noteText, selectKnown } from "./holding-store.ts";
import { KNOWN_MS, noteKnownHosts, TEXTS_RETENTION_MS } from "./known-hosts.ts";

/** Brakes that hold content for a moderator (docs/contract.md#12.39). */
export const BRAKES = [
  "limited",
  "held_word",
  "held_host",
  "newcomer_links",
  "equal_text",
  "reports",
] as const;

/** A brake, and the word, host or number that caused it. */
export interface Brake {
  brake: (typeof BRAKES)[number];
  detail: string;
}

/** The texts of a new or changed post, reply, job or prompt, and the URLs in its other fields. */
export interface BrakedContent {
  texts: readonly (string | null | undefined)[];
  addresses?: readonly (string | null | undefined)[];
}

/** Fewest letters of a text that is compared with other texts. Shorter texts are often equal by chance. */
const EQUAL_LETTERS_MIN = 40;

/**
 * Returns the brake that holds a text of the caller, or null. `before` is the former version of an edited
 * text, whose words and hosts hold nothing. Members with a role and the operator are never held. Also notes
 * the text of a newcomer, and the hosts that an established member links. An established member's text
 * without links needs one lookup. Call it in the transaction of the write.
 */
export function brakeOf(
  core: Core,
  caller: Caller,
  { before, ...content }: BrakedContent & { before?: BrakedContent | undefined },
): Brake | null {
  const { builderId } = caller;
  const facts = builderId === null ? undefined : findBrakeFacts(core, builderId);
  if (builderId === null || !facts) return null;
  const hosts = newHosts(core, content, before);
  if (facts.role !== "member") {
    noteKnownHosts(core, hosts);
    return null;
  }
  const { holdNewcomerLinks } = facts;
  const settings = brakesFrom({
    ...facts,
    holdNewcomerLinks: holdNewcomerLinks === null ? null : holdNewcomerLinks === 1,
  });
  const newUntil = facts.joinedAt + (facts.newcomerDays ?? NEWCOMER_DAYS) * DAY;
  const isNew = facts.isVouched === 0 && newUntil > core.clock.now();
  const isEqual = isNew && hasQuotas(caller) && isEqualText(core, builderId, content, before, settings);
  if (facts.isLimited === 1) return { brake: "limited", detail: "" };
  const word = heldWordIn(settings.heldWords, content, before);
  if (word !== undefined) return { brake: "held_word", detail: word };
  const present = [...hosts, ...newNames(content, before)];
  const host = heldAmong(settings.heldLinkHosts, present) ?? heldHostOf(core, present);
  if (host !== undefined) return { brake: "held_host", detail: host };
  if (!isNew) {
    noteKnownHosts(core, hosts);
    return null;
  }
  if (!hasQuotas(caller)) return null;
  const unknown = settings.holdNewcomerLinks
    ? (unknownAmong(core, [...hosts, ...newUrlHosts(core, content, before)]) ??
      hostlessIn(core, content, before))
    : undefined;
  if (unknown !== undefined) return { brake: "newcomer_links", detail: unknown };
  return isEqual ? { brake: "equal_text", detail: `${settings.equalTexts}` } : null;
}

/** Characters without which a text reads as it is written. */
const MAY_DIFFER = /[&[<`~]/;

/** Returns the texts that readers see, without code. */
function shownIn(content: BrakedContent | undefined): string[] {
  return (content?.texts ?? []).map((text) =>
    text && MAY_DIFFER.test(text) ? shownTextIn(text) : (text ?? ""),
  );
}

function newHosts(core: Core, content: BrakedContent, before: BrakedContent | undefined): string[] {
  const known = before ? linkHostsIn(core, before.texts, before.addresses) : [];
  return linkHostsIn(core, content.texts, content.addresses).filter((host) => !known.includes(host));
}

/** Returns what could be a host in the texts, also without a link. */
function newNames(content: BrakedContent, before: BrakedContent | undefined): string[] {
  const [now, then] = [content, before].map((each) =>
    (each?.texts ?? []).flatMap((text) => hostsNamedIn(text ?? "")),
  );
  return now?.filter((name) => !then?.includes(name)) ?? [];
}

/** Returns the hosts of URLs that readers see, also without a link. */
function newUrlHosts(core: Core, content: BrakedContent, before: BrakedContent | undefined): string[] {
  const [now, then] = [content, before].map((each) => writtenHostsIn(core, shownIn(each).join("\n")));
  return now?.filter((host) => !then?.includes(host)) ?? [];
}

function unknownAmong(core: Core, hosts: readonly string[]): string | undefined {
  if (hosts.length === 0) return undefined;
  const known = new Set(selectKnown(core, hosts, core.clock.now() - KNOWN_MS));
  return hosts.find((host) => !known.has(host));
}

/** Paths of this site that redirect to the URL of an app. Anyone can register an app with any URL. */
const APP_REDIRECTS = /^\/+v1\/oauth\//;

/** Returns a new link whose target no host names: an email address, or a redirect to an app. */
function hostlessIn(
  { origin }: Core,
  content: BrakedContent,
  before: BrakedContent | undefined,
): string | undefined {
  const [links, known] = [content, before].map((each) =>
    [...(each?.texts.flatMap((text) => linksIn(text ?? "")) ?? []), ...(each?.addresses ?? [])].flatMap(
      (link) => URL.parse(link ?? "", `${origin}/`) ?? [],
    ),
  );
  const isHostless = (url: URL) =>
    url.protocol === "mailto:" || (url.origin === origin && APP_REDIRECTS.test(url.pathname));
  const found = links?.find((url) => isHostless(url) && !known?.some(({ href }) => href === url.href));
  return found?.href.slice(0, 100);
}

/** Returns the first line of the list that is one of the hosts or a parent domain. */
function heldAmong(list: string, hosts: readonly string[]): string | undefined {
  if (list === "" || hosts.length === 0) return undefined;
  const names = new Set(hosts.flatMap(hostAndParents));
  return linesOf(list).find((line) => names.has(line));
}

/** Returns the first word or phrase of the list that the text contains and its former version did not. */
function heldWordIn(
  list: string,
  content: BrakedContent,
  before: BrakedContent | undefined,
): string | undefined {
  if (list === "") return undefined;
  const [now, then] = [content, before].map((each) =>
    [...(each?.texts ?? []), ...shownIn(each)].map((text) => tokensOf(text ?? "")),
  );
  return linesOf(list).find((line) => {
    const phrase = tokensOf(line);
    const isIn = (texts: readonly string[] | undefined) => texts?.some((text) => text.includes(phrase));
    return phrase !== "" && isIn(now) && !isIn(then);
  });
}

/** Notes a newcomer's text. Returns whether enough newcomers, or the same one, wrote it within a day. */
function isEqualText(
  core: Core,
  builderId: string,
  content: BrakedContent,
  before: BrakedContent | undefined,
  { equalTexts }: { equalTexts: number },
): boolean {
  const digest = equalTexts > 0 ? digestOf(content) : undefined;
  if (!digest || (before && digestOf(before)?.equals(digest))) return false;
  const now = core.clock.steady();
  const count = countEqual(core, digest, now - TEXTS_RETENTION_MS);
  noteText(core, { digest, builderId, at: now }, now - TEXTS_RETENTION_MS);
  return count + 1 >= equalTexts;
}

/** URLs, and names of members. Copies of one advertisement often differ in them. */
const VARYING = /https?:\/\/[^\s<>()[\]]+|@\w+/gi;

/** Returns the digest of the letters of a text; undefined for a short text. */
function digestOf({ texts }: BrakedContent): Buffer | undefined {
  const words = tokensOf(texts.join(" ").replace(VARYING, " "));
  const letters = words.replace(/[^\p{L}]+/gu, "");
  if (letters.length < EQUAL_LETTERS_MIN) return undefined;
  return createHash("sha256").update(letters).digest();
}
