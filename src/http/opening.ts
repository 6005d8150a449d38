import type { Logger } from "pino";
import type { Core } from "../core/ground/core.ts";
import { CoreError } from "../core/ground/errors.ts";
import { NOT_KEPT, refusal } from "./answer.ts";
import type { Metering } from "./metering.ts";
import type { Door } from "./door.ts";
import { logFailure, looksSecret } from "./request-log.ts";
import { strictTransport } from "./secure-origin.ts";
import type { Visit } from "./visit.ts";

/** What the preflight alone may do with a visit. */
export interface Opened extends Visit {
  /** From now on this door tells the refusals. */
  enterBy(door: Door): void;
}

/** Makes visits that know nothing yet but how to refuse. */
export function createOpening(core: Core, log: Logger, metering: Metering) {
  const strict = strictTransport(core.origin);

  return (request: Request, peer: () => string, keepOpen: (seconds: number) => void): Opened => {
    const requestId = readRequestId(request.headers.get("x-request-id"));
    let door: Door | undefined;
    const visit: Opened = {
      request,
      requestId,
      origin: core.origin,
      // A HEAD is a GET whose body Bun leaves away, keeping its length (RFC 9110 §9.3.2).
      method: request.method === "HEAD" ? "GET" : request.method,
      isHead: request.method === "HEAD",
      isRead: request.method === "GET" || request.method === "HEAD",
      path: "",
      query: "",
      caller: undefined,
      hasCredentials: request.headers.has("authorization"),
      peer,
      keepOpen,
      address: peer,
      headers: {
        "x-request-id": requestId,
        "x-content-type-options": "nosniff",
        ...strict,
        "cache-control": NOT_KEPT,
        // Whatever is text is compressed for who takes that.
        vary: "accept-encoding",
      },
      report(thrown) {
        if (!(thrown instanceof CoreError)) logFailure(log, requestId, thrown);
      },
      refuse(thrown) {
        visit.report(thrown);
        return (door?.refuse ?? refusal)(visit, thrown);
      },
      ...metering.of(() => visit),
      enterBy(chosen) {
        door = chosen;
      },
    };
    return visit;
  };
}

/**
 * An inbound id is kept only where it is short and of safe letters (docs/contract.md#1.13), and no secret by
 * mistake.
 */
function readRequestId(sent: string | null): string {
  const isKept = sent !== null && /^[A-Za-z0-9._-]{1,128}$/.test(sent) && !looksSecret(sent);
  return isKept ? sent : crypto.randomUUID();
}
