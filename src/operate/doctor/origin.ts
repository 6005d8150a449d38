import { finding, type CheckResult, note, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { getSetting } from "../../core/base/db/settings.ts";
import { readAddress } from "../health/address.ts";
import { serverMetrics } from "./server-metrics.ts";
import { isAnswer, type Network } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { parseStatus } from "./server.ts";

const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "0"]);
/**
 * Share of requests with untrusted forwarding headers. Above this share, a proxy sends the headers, and not
 * strangers.
 */
const MAJORITY = 0.5;
const ENOUGH_REQUESTS = 20;

/**
 * Checks whether the origin leads to this server, and whether the settings match the proxy in front of the
 * server.
 */
export async function checkOrigin(context: CheckContext): Promise<CheckResult> {
  const { config, db } = context;
  const known = db && getSetting({ db }, "origin");
  const origin = config.origin ?? (known !== undefined && isPublic(known) ? known : undefined);
  const isReachable = origin !== undefined && isPublic(origin);
  const isProxied =
    isReachable && ((origin.startsWith("https:") && !config.tls) || config.trustedProxies.length > 0);
  return [
    inSettings(context),
    mismatchOf(config.origin, known),
    isReachable && (await reachOf(context, origin)),
    isProxied && (await metricsOf(context, origin)),
    await forwardedOf(context, isProxied),
  ];
}

function inSettings({ config: { origin, host, trustedProxies } }: CheckContext): CheckResult {
  const listensOnAll = EVERY_ADDRESS.has(host);
  return [
    origin === undefined &&
      (listensOnAll || trustedProxies.length > 0) &&
      warning(
        "origin",
        listensOnAll
          ? `The server listens on every address (${host}), but GUILDHALL_ORIGIN is not set, so its links do not work for others.`
          : "A proxy is trusted, but GUILDHALL_ORIGIN is not set, so links do not lead to the proxy.",
        "GUILDHALL_ORIGIN=https://the.name.that.people.open",
      ),
    origin?.startsWith("http:") &&
      isPublic(origin) &&
      warning(
        "origin",
        `The origin ${origin} uses plain HTTP. Passwords and cookies are sent unencrypted, and passkeys do not work.`,
        `Set GUILDHALL_ORIGIN=${origin.replace("http:", "https:")}, and set up TLS with a proxy or GUILDHALL_ACME (see TLS in docs/operating.md)`,
      ),
    trustedProxies.some(([, bits]) => bits === 0) &&
      severe(
        "trusted_proxies",
        "Every address is a trusted proxy, so visitors can fake their address and evade rate limits.",
        "Set GUILDHALL_TRUSTED_PROXIES to the proxy's own address",
      ),
  ];
}

/**
 * Reports settings that differ from the server's settings. With other settings, the doctor would check
 * another community.
 */
function mismatchOf(origin: string | undefined, known: string | undefined): CheckResult {
  if (known === undefined || known === origin || (origin === undefined && !isPublic(known))) return undefined;
  return note(
    "settings",
    `The server last ran with the origin ${known}, but this command's settings say ${origin ?? "none"}.`,
    "Name the server's settings with --settings FILE, or restart the server",
  );
}

/** Checks from this machine whether the origin answers. `checkCertificates` checks its certificate. */
async function reachOf({ config, isServed, network }: CheckContext, origin: string): Promise<CheckResult> {
  if (!isServed) return undefined;
  const got = await network.get(`${origin}/healthz`, { isVerified: false });
  if (!isAnswer(got))
    return warning(
      "origin_reached",
      `This machine cannot reach ${origin}: ${got.reason}.`,
      "Try from another machine. Then check DNS, the proxy, its certificate, and the firewall",
    );
  const own = readAddress(config.data);
  const isOurs = got.status === 200 && parseStatus(got.text) !== undefined;
  if (isOurs && (own === undefined || (await isSame(network, origin, own))))
    return ok("origin_reached", `${origin} leads to this community's server.`);
  return severe(
    "origin_reached",
    isOurs
      ? `${origin} leads to another community's server.`
      : `${origin} does not lead to a Guildhall: /healthz answers with status ${got.status}.`,
    `Point the name, or the proxy, to ${own ?? "the server"}`,
  );
}

/** Compares the public keys, because another community has other keys. */
async function isSame(network: Network, origin: string, own: string): Promise<boolean> {
  const path = "/.well-known/jwks.json";
  const [theirs, ours] = await Promise.all([
    network.get(origin + path, { isVerified: false }),
    network.get(own + path, { isVerified: false }),
  ]);
  if (!isAnswer(theirs) || !isAnswer(ours)) return true;
  const [known, shown] = [keysIn(ours.text), keysIn(theirs.text)];
  return known.length === 0 || shown.length === 0 || shown.some((id) => known.includes(id));
}

function keysIn(text: string): unknown[] {
  try {
    const { keys } = JSON.parse(text) as { keys: { kid: unknown }[] };
    return keys.map(({ kid }) => kid);
  } catch {
    return [];
  }
}

/** Checks whether /metrics is public. With a proxy on this machine, every client may look local. */
async function metricsOf({ config, network }: CheckContext, origin: string): Promise<CheckResult> {
  if (config.metricsToken !== undefined) return ok("metrics", "/metrics requires its token.");
  const got = await network.get(`${origin}/metrics`, { isVerified: false });
  const isOpen = isAnswer(got) && got.status === 200 && got.text.includes("guildhall_");
  return finding(
    "metrics",
    isOpen ? "severe" : "note",
    isOpen
      ? `Anyone can read ${origin}/metrics, because the proxy makes every request look local.`
      : "/metrics has no token. A proxy that sets no X-Forwarded-For would expose it.",
    "GUILDHALL_METRICS_TOKEN=$(openssl rand -hex 16)",
  );
}

/**
 * Checks whether rate limits count visitors by their own addresses. Behind an untrusted proxy, all visitors
 * share the proxy's limit.
 */
async function forwardedOf(context: CheckContext, isProxied: boolean): Promise<CheckResult> {
  const metrics = await serverMetrics(context);
  const forwarded = metrics?.get("http_forwarded_unbelieved_total") ?? 0;
  const all = metrics?.get("http_requests_total") ?? 0;
  const mend = "GUILDHALL_TRUSTED_PROXIES=127.0.0.1,::1 (the proxy's address)";
  if (forwarded >= ENOUGH_REQUESTS && forwarded > all * MAJORITY)
    return warning(
      "trusted_proxies",
      `${forwarded} of ${all} requests had an X-Forwarded-For from an untrusted proxy. All their visitors share one rate limit.`,
      mend,
    );
  if (!isProxied) return undefined;
  if (context.config.trustedProxies.length > 0)
    return ok("trusted_proxies", "The server can tell the visitors behind the proxy apart.");
  return warning(
    "trusted_proxies",
    "The origin is https and the server uses http, so there must be a proxy. None is trusted, so all its visitors share one rate limit.",
    mend,
  );
}

function isPublic(origin: string): boolean {
  const { hostname } = new URL(origin);
  return !/^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname);
}
