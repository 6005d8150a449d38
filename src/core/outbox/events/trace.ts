import type { Core } from "../../base/core.ts";

/*
 * W3C Trace Context (https://www.w3.org/TR/trace-context/). Only the `traceparent` header is used. A request
 * without the header starts no trace.
 */

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const ALL_ZEROS = /^0+$/;
/** The flags “sampled” and (level 2) “random”. Other bits are reserved and must be 0. */
const KNOWN_FLAGS = 0b11;
const SPAN_BYTES = 8;

/**
 * Returns the header in the format of version 00, or undefined if the header is invalid. If the header has a
 * later version, reads only the part that version 00 defines.
 */
export function readTraceparent(sent: string | null): string | undefined {
  if (sent === null) return undefined;
  const { version, trace = "", parent = "", flags = "", more } = TRACEPARENT.exec(sent)?.groups ?? {};
  if (version === undefined || ALL_ZEROS.test(trace) || ALL_ZEROS.test(parent)) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, "0");
  return `00-${trace}-${parent}-${known}`;
}

/** Returns a header for the next request of the same trace, with a new span id and unchanged flags. */
export function childTraceparent(core: Core, traceparent: string): string {
  const [version, trace, , flags] = traceparent.split("-");
  return [version, trace, Buffer.from(core.random.bytes(SPAN_BYTES)).toString("hex"), flags].join("-");
}

const current = (): { traceparent: string | undefined } => ({ traceparent: undefined });

/** Runs synchronous `work`. Events that `work` fires carry this trace. */
export function inTrace<Result>(core: Core, traceparent: string | undefined, work: () => Result): Result {
  if (traceparent === undefined) return work();
  const state = core.memory(current);
  const before = state.traceparent;
  state.traceparent = traceparent;
  try {
    return work();
  } finally {
    state.traceparent = before;
  }
}

/** Returns the trace of the running operation, if any. */
export function currentTraceparent(core: Core): string | undefined {
  return core.memory(current).traceparent;
}
