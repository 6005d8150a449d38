import { readAddress } from "../health/address.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";

/**
 * Returns the running server's metrics by name, without the prefix. Sums up the values of all labels.
 * Undefined if no server runs, or if its token is not in these settings.
 */
export async function serverMetrics({
  config,
  isServed,
  network,
}: CheckContext): Promise<ReadonlyMap<string, number> | undefined> {
  const url = isServed ? readAddress(config.data) : undefined;
  if (url === undefined) return undefined;
  const { metricsToken } = config;
  const got = await network.get(`${url}/metrics`, {
    isVerified: false,
    headers: metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` },
  });
  return isAnswer(got) && got.status === 200 ? parseMetrics(got.text) : undefined;
}

/** Parses the Prometheus text format. */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  for (const [, name = "", value = ""] of text.matchAll(/^(?:guildhall_)?(\w+)(?:\{.*\})? (\S+)$/gm))
    metrics.set(name, (metrics.get(name) ?? 0) + Number(value));
  return metrics;
}
