import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { linksIn } from "../../base/markdown.ts";
import { deleteHeldHosts, deleteSomeEnded, findHeld, insertHeldHost } from "./held-hosts-store.ts";

/*
 * Link hosts of removed spammers (docs/contract.md#12.38). A held host holds new posts that link it. Times
 * are steady times.
 */

/** How long a host is held. */
export const HOLDS_RETENTION_MS = 30 * DAY;
/** Number of rows that one batch of the cleanup deletes. */
const BATCH = 200;

/**
 * Returns the hosts of all links in the Markdown texts and the addresses, in lower case, without `www.` and
 * without duplicates. Leaves out this community's own host.
 */
export function linkHostsIn(
  { origin }: Pick<Core, "origin">,
  texts: readonly (string | null | undefined)[],
  addresses: readonly (string | null | undefined)[] = [],
): string[] {
  const own = hostNamed(URL.parse(origin)?.hostname ?? "");
  const links = [...texts.flatMap((text) => linksIn(text ?? "")), ...addresses];
  const hosts = links.flatMap((link) => {
    // Resolve like a browser on our pages: a URL that starts with / or # stays on this site.
    const url = link ? URL.parse(link, `${origin}/`) : null;
    return url === null || url.hostname === "" ? [] : [hostNamed(url.hostname)];
  });
  return [...new Set(hosts)].filter((host) => host !== own);
}

/**
 * URLs in a text, also with a disguised scheme such as `hxxp`. The page links some of them only as text, for
 * example those with a user name.
 */
const WRITTEN_URL = /(?:h[tx]{2}ps?|ftp):\/\/[^\s<>()[\]"]+/gi;
const INVISIBLE = /\p{Cf}+/gu;

/** Returns the hosts of the URLs in a text that readers can see, linked or not. */
export function writtenHostsIn({ origin }: Pick<Core, "origin">, shown: string): string[] {
  const own = hostNamed(URL.parse(origin)?.hostname ?? "");
  const hosts = [...shown.replace(INVISIBLE, "").matchAll(WRITTEN_URL)].map(([url]) =>
    hostNamed(URL.parse(url.replace(/^hxx/i, "htt"))?.hostname ?? ""),
  );
  return [...new Set(hosts)].filter((host) => host.includes(".") && host !== own);
}

/**
 * A host name in a text, with or without a scheme. Rendering each text would take ten times as long. A match
 * begins at the first character of a name, so that the time is linear.
 */
const HOST =
  /(?<![a-z0-9\u00a1-\uffff-])[a-z0-9\u00a1-\uffff-]+(?:\.[a-z0-9\u00a1-\uffff-]+)+|\[[0-9a-f:.]+\]/gi;

/** Returns everything in a text that could be a host, also if the text only names it. */
export function hostsNamedIn(text: string): string[] {
  return (text.match(HOST) ?? []).map((name) => {
    const host = hostNamed(name);
    // Links contain the ASCII form of a host.
    return /^[\u0000-\u007f]*$/.test(host) ? host : hostNamed(URL.parse(`https://${host}`)?.hostname ?? host);
  });
}

/** Returns a host in the form in which hosts are stored and compared. */
export function hostNamed(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^www\.(?=.)/, "");
}

/**
 * Returns the host and its parent domains, such as `a.b.example`, `b.example`. Leaves out top-level names.
 */
export function hostAndParents(host: string): string[] {
  const labels = host.split(".");
  return labels
    .map((_, i) => labels.slice(i).join("."))
    .filter((name) => name === host || name.includes("."));
}

/**
 * Returns which of the hosts is held now: the host itself or a parent domain. Returns undefined if none is.
 * Runs one statement.
 */
export function heldHostOf(core: Core, hosts: readonly string[]): string | undefined {
  if (hosts.length === 0) return undefined;
  return findHeld(core, [...new Set(hosts.flatMap(hostAndParents))], core.clock.steady());
}

/** Holds texts that link the hosts for 30 days. Call it in the transaction of the decision. */
export function holdHosts(core: Core, hosts: readonly string[], decisionId: string): void {
  const endsAt = core.clock.steady() + HOLDS_RETENTION_MS;
  for (const host of hosts) insertHeldHost(core, { host, decisionId, endsAt });
}

/** Ends the holds of a decision. Call it in the transaction that undoes the decision. */
export function releaseHosts(core: Core, decisionId: string): void {
  deleteHeldHosts(core, decisionId);
}

/** Deletes holds that ended. Runs periodically. */
export async function forgetEndedHosts(core: Core): Promise<void> {
  const now = core.clock.steady();
  while ((await core.db.write(() => deleteSomeEnded(core, now, BATCH))) > 0);
}
