import { readAddress } from "../health/address.ts";
import { isAnswer } from "./network.ts";
import type { Patient } from "./context.ts";

/**
 * What the running server counts, by name without its prefix; of one with labels the sum. Undefined where it is
 * not told to us: no server, or its token is not in our settings.
 */
export async function figuresOf({
  config,
  isServed,
  outside,
}: Patient): Promise<ReadonlyMap<string, number> | undefined> {
  const url = isServed ? readAddress(config.data) : undefined;
  if (url === undefined) return undefined;
  const { metricsToken } = config;
  const got = await outside.get(`${url}/metrics`, {
    isVerified: false,
    headers: metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` },
  });
  return isAnswer(got) && got.status === 200 ? figuresIn(got.text) : undefined;
}

/** The text format of Prometheus. */
export function figuresIn(text: string): ReadonlyMap<string, number> {
  const figures = new Map<string, number>();
  for (const [, name = "", value = ""] of text.matchAll(/^(?:guildhall_)?(\w+)(?:\{.*\})? (\S+)$/gm))
    figures.set(name, (figures.get(name) ?? 0) + Number(value));
  return figures;
}
