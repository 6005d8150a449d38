import type { Logger } from "pino";
import type { Config } from "./config.ts";
import type { Handler } from "./http/preflight.ts";
import { type Certificate, listen, type Listening } from "./http/server.ts";
import { httpPortRefused } from "./tls/tls.ts";

/** The ports, taken before anything is made. */
export interface Ports {
  listening: Listening;
  /** Of plain HTTP, beside one with TLS. */
  http: Listening | undefined;
}

/** What answers on them. */
export interface Answers {
  handler?: Handler;
  http?: Handler;
}

/** Throws where one cannot be had, and leaves the other free. */
export function takePorts(
  { host, port, tls }: Config,
  log: Logger,
  answers: Answers,
  certificate: Certificate | undefined,
): Ports {
  const tell = (isRefusing: boolean) => tellFiles(log, isRefusing);
  const listening = listen(host, port, () => answers.handler as Handler, { tell, certificate });
  if (tls?.httpPort === undefined) return { listening, http: undefined };
  try {
    return { listening, http: listen(host, tls.httpPort, () => answers.http as Handler) };
  } catch (error) {
    void listening.stop(0);
    throw httpPortRefused(tls.httpPort, error);
  }
}

export function stopListening({ listening, http }: Ports, limitMs: number): Promise<unknown> {
  return Promise.all([listening.stop(limitMs), http?.stop(limitMs)]);
}

function tellFiles(log: Logger, isRefusing: boolean): void {
  if (isRefusing)
    log.warn("open files run short: new connections are refused; give the process more (ulimit -n)");
  else log.info("new connections are taken again");
}
