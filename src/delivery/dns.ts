import { getServers, setServers } from "node:dns";
import { readFileSync } from "node:fs";
import { SECOND } from "../core/base/clock.ts";
import type { LookupResult } from "../core/base/core.ts";

const RESOLVE_WITHIN_MS = 2 * SECOND;

/** DNS lookups in progress, by host. Concurrent deliveries to one host share a lookup. */
const running = new Map<string, Promise<LookupResult>>();

/**
 * Resolves a host name to all its addresses, by `/etc/hosts` and the name servers. Returns no addresses if
 * the name does not exist. Returns `silent` if the servers return no useful answer within two seconds.
 *
 * Uses c-ares instead of the system's `getaddrinfo`. If a name's servers are silent, `getaddrinfo` blocks a
 * pool thread for 20 s. Four such names would block all DNS lookups, and therefore all deliveries.
 */
export function resolveName(host: string): Promise<LookupResult> {
  let found = running.get(host);
  if (!found) {
    found = lookUp(host).finally(() => running.delete(host));
    running.set(host, found);
  }
  return found;
}

async function lookUp(host: string): Promise<LookupResult> {
  readServers();
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => timedOut.reject(new Error("no answer")), RESOLVE_WITHIN_MS);
  try {
    const answers = await Promise.race([Bun.dns.lookup(host, { backend: "c-ares" }), timedOut.promise]);
    return answers.map(({ address }) => address);
  } catch (error) {
    if (isUnknown(error)) return [];
    followServers();
    return "silent";
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the name does not exist or has no address. All other errors are errors of the name servers. */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && /ENOTFOUND|ENODATA|ENONAME/.test(String(error.code));
}

const RESOLVER_FILE = "/etc/resolv.conf";
/** Content of `/etc/resolv.conf` when c-ares read the file. c-ares reads the file only once. */
let configured: string | undefined;

function readServers(): void {
  configured ??= readConfigured();
}

/**
 * Applies name servers that changed since the last read, for example when the machine moved to another
 * network.
 */
function followServers(): void {
  const now = readConfigured();
  if (now === configured) return;
  const servers = [...now.matchAll(/^nameserver\s+(\S+)/gm)].flatMap(([, server]) => server ?? []);
  configured = now;
  const before = getServers();
  try {
    setServers(servers);
  } catch {
    // If one of the new entries is not a valid address, the previous servers are restored.
    setServers(before);
  }
}

/**
 * Returns the content of `/etc/resolv.conf`. Returns an empty text on systems without this file, where
 * changed name servers are not detected.
 */
function readConfigured(): string {
  try {
    return readFileSync(RESOLVER_FILE, "utf8");
  } catch {
    return "";
  }
}
