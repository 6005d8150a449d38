import { readAddress } from "../health/address.ts";
import { isAnswer } from "./network.ts";
import type { CheckContext } from "./context.ts";

/**
 * What the running server counts, by name without its prefix; of one with labels the sum. Undefined where it
 * is not told to us: no server, or its token is not in our settings.
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

/** The text format of Prometheus. */
export function parseMetrics(text: string): ReadonlyMap<string, number> {
  const metrics = new Map<string, number>();
  for (const [, name = "", value = ""] of text.matchAll(/^(?:guildhall_)?(\w+)(?:\{.*\})? (\S+)$/gm))
    metrics.set(name, (metrics.get(name) ?? 0) + Number(value));
  return metrics;
}
