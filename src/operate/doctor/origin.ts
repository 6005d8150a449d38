import { finding, type CheckResult, note, ok, severe, warning } from "../../core/services/checkup/checkup.ts";
import { getSetting } from "../../core/base/db/settings.ts";
import { readAddress } from "../health/address.ts";
import { serverMetrics } from "./server-metrics.ts";
import { isAnswer, type Network } from "./network.ts";
import type { CheckContext } from "./context.ts";
import { parseStatus } from "./server.ts";

/** Hosts that mean every address of the machine. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "0"]);
/** So much of all requests is no stranger who makes headers up. */
const MOST = 0.5;
const ENOUGH_REQUESTS = 20;

/** Whether links lead here, and whether what stands before the server is as the settings say. */
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

/** What the settings alone show. */
function inSettings({ config: { origin, host, trustedProxies } }: CheckContext): CheckResult {
  const isEverywhere = EVERY_ADDRESS.has(host);
  return [
    origin === undefined &&
      (isEverywhere || trustedProxies.length > 0) &&
      warning(
        "origin",
        isEverywhere
          ? `the server listens on every address (${host}), and without an origin its links begin with one that nobody can open`
          : "a proxy is trusted, and without an origin links do not lead to it",
        "GUILDHALL_ORIGIN=https://the.name.that.people.open",
      ),
    origin?.startsWith("http:") &&
      isPublic(origin) &&
      warning(
        "origin",
        `the origin ${origin} is plain http: passwords and cookies pass in clear, and passkeys do not work`,
        `GUILDHALL_ORIGIN=${origin.replace("http:", "https:")}, and TLS by a proxy or GUILDHALL_ACME (docs/operating.md, TLS)`,
      ),
    trustedProxies.some(([, bits]) => bits === 0) &&
      severe(
        "trusted_proxies",
        "every address is a trusted proxy: each visitor says themself whose rate they are counted under",
        "name the proxy's own address in GUILDHALL_TRUSTED_PROXIES",
      ),
  ];
}

/** With other settings than the server's, the doctor checks another community. */
function mismatchOf(origin: string | undefined, known: string | undefined): CheckResult {
  if (known === undefined || known === origin || (origin === undefined && !isPublic(known))) return undefined;
  return note(
    "settings",
    `the server on the folder last had the origin ${known}, and the settings of this command say ${origin ?? "none"}`,
    "name the server's settings with --settings FILE, or start the server anew",
  );
}

/** From this machine. Its certificate is looked at by itself. */
async function reachOf({ config, isServed, network }: CheckContext, origin: string): Promise<CheckResult> {
  if (!isServed) return undefined;
  const got = await network.get(`${origin}/healthz`, { isVerified: false });
  if (!isAnswer(got))
    return warning(
      "origin_reached",
      `${origin} cannot be reached from this machine: ${got.says}`,
      "try it from elsewhere; then look at DNS, the proxy, its certificate and the firewall",
    );
  const own = readAddress(config.data);
  const isOurs = got.status === 200 && parseStatus(got.text) !== undefined;
  if (isOurs && (own === undefined || (await isSame(network, origin, own))))
    return ok("origin_reached", `${origin} leads to a server of this community`);
  return severe(
    "origin_reached",
    isOurs
      ? `${origin} leads to another community's server`
      : `${origin} leads elsewhere: /healthz answers ${got.status}, and no Guildhall does`,
    `have the name, or the proxy, lead to ${own ?? "the server"}`,
  );
}

/** By the public keys that each shows: those of another community are other ones. */
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

/** Whether strangers read /metrics: a proxy on this machine may make everybody look local. */
async function metricsOf({ config, network }: CheckContext, origin: string): Promise<CheckResult> {
  if (config.metricsToken !== undefined) return ok("metrics", "/metrics asks for its token");
  const got = await network.get(`${origin}/metrics`, { isVerified: false });
  const isOpen = isAnswer(got) && got.status === 200 && got.text.includes("guildhall_");
  return finding(
    "metrics",
    isOpen ? "severe" : "note",
    isOpen
      ? `anybody reads ${origin}/metrics: the proxy makes everybody look as if they were on this machine`
      : "/metrics has no token: a proxy that adds no X-Forwarded-For would show it to anybody",
    "GUILDHALL_METRICS_TOKEN=$(openssl rand -hex 16)",
  );
}

/** Whose rate visitors are counted under: a proxy that is not trusted has all of them share its own. */
async function forwardedOf(context: CheckContext, isProxied: boolean): Promise<CheckResult> {
  const metrics = await serverMetrics(context);
  const forwarded = metrics?.get("http_forwarded_unbelieved_total") ?? 0;
  const all = metrics?.get("http_requests_total") ?? 0;
  const mend = "GUILDHALL_TRUSTED_PROXIES=127.0.0.1,::1 (the address that the proxy comes from)";
  if (forwarded >= ENOUGH_REQUESTS && forwarded > all * MOST)
    return warning(
      "trusted_proxies",
      `${forwarded} of ${all} requests came with an X-Forwarded-For from no trusted proxy: their visitors are counted as one`,
      mend,
    );
  if (!isProxied) return undefined;
  if (context.config.trustedProxies.length > 0)
    return ok("trusted_proxies", "visitors are told apart behind the proxy");
  return warning(
    "trusted_proxies",
    "the origin is https and the server speaks http, so that a proxy stands before it; none is trusted, and all its visitors are counted as one",
    mend,
  );
}

function isPublic(origin: string): boolean {
  const { hostname } = new URL(origin);
  return !/^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/.test(hostname);
}
