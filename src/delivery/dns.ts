import { getServers, setServers } from "node:dns";
import { readFileSync } from "node:fs";
import { SECOND } from "../core/base/clock.ts";
import type { LookupResult } from "../core/base/core.ts";

const RESOLVE_WITHIN_MS = 2 * SECOND;

/** Look-ups under way: a name that many deliveries wait for is asked for once. */
const running = new Map<string, Promise<LookupResult>>();

/**
 * All addresses of a name, after `/etc/hosts` and its name servers; none where it does not exist, `silent`
 * where they give no answer within two seconds, or no useful one. By c-ares and not by the system's
 * `getaddrinfo`, which keeps a thread of the few for 20 s for each name whose servers are silent: four of
 * those would end all look-ups, and with them all deliveries.
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
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("no answer")), RESOLVE_WITHIN_MS);
  try {
    const answers = await Promise.race([Bun.dns.lookup(host, { backend: "c-ares" }), late.promise]);
    return answers.map(({ address }) => address);
  } catch (error) {
    if (isUnknown(error)) return [];
    followServers();
    return "silent";
  } finally {
    clearTimeout(timer);
  }
}

/** It does not exist, or has no address; other failures are those of servers. */
function isUnknown(error: unknown): boolean {
  return error instanceof Error && "code" in error && /ENOTFOUND|ENODATA|ENONAME/.test(String(error.code));
}

const CONFIGURED_IN = "/etc/resolv.conf";
/** The file as it was when c-ares read it, which it does once. */
let configured: string | undefined;

function readServers(): void {
  configured ??= readConfigured();
}

/** The machine may have moved to another network, or its servers to other addresses. */
function followServers(): void {
  const now = readConfigured();
  if (now === configured) return;
  const servers = [...now.matchAll(/^nameserver\s+(\S+)/gm)].flatMap(([, server]) => server ?? []);
  configured = now;
  const before = getServers();
  try {
    setServers(servers);
  } catch {
    // Something there is no address.
    setServers(before);
  }
}

/** Systems that keep it elsewhere have none, and then nothing is followed. */
function readConfigured(): string {
  try {
    return readFileSync(CONFIGURED_IN, "utf8");
  } catch {
    return "";
  }
}
