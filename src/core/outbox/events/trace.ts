import type { Core } from "../../base/core.ts";

/*
 * W3C Trace Context (https://www.w3.org/TR/trace-context/), of which the one header is taken that says by
 * which trace a request came. None is begun here: without one there is nothing to go on with.
 */

const TRACEPARENT =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<parent>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/;
const NONE = /^0+$/;
/** Sampled, and (level 2) random: what else a later version may mean is not known, and must be 0. */
const KNOWN_FLAGS = 0b11;
const SPAN_BYTES = 8;

/**
 * The header as version 00 writes it; undefined where it is not valid. Of a later version that part is read
 * which it shares.
 */
export function readTraceparent(sent: string | null): string | undefined {
  const { version, trace = "", parent = "", flags = "", more } = TRACEPARENT.exec(sent ?? "")?.groups ?? {};
  if (version === undefined || NONE.test(trace) || NONE.test(parent)) return undefined;
  if (version === "00" && more !== undefined) return undefined;
  const known = (Number.parseInt(flags, 16) & KNOWN_FLAGS).toString(16).padStart(2, "0");
  return `00-${trace}-${parent}-${known}`;
}

/** What goes on by the same trace: a step of its own, sampled as the one before it was. */
export function childTraceparent(core: Core, traceparent: string): string {
  const [version, trace, , flags] = traceparent.split("-");
  return [version, trace, Buffer.from(core.random.bytes(SPAN_BYTES)).toString("hex"), flags].join("-");
}

const current = (): { traceparent: string | undefined } => ({ traceparent: undefined });

/** Runs `work`, which waits for nothing; events that it fires carry this trace. */
export function inTrace<Result>(core: Core, traceparent: string | undefined, work: () => Result): Result {
  if (traceparent === undefined) return work();
  const held = core.memory(current);
  const before = held.traceparent;
  held.traceparent = traceparent;
  try {
    return work();
  } finally {
    held.traceparent = before;
  }
}

/** By which trace the write came that is under way; undefined where by none. */
export function currentTraceparent(core: Core): string | undefined {
  return core.memory(current).traceparent;
}
