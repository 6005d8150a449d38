import { type Caller, requirePerson } from "../../identity/access/caller.ts";
import { requireFresh } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { HOUR, isoTime, MINUTE } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { refuseFor } from "../../base/errors.ts";
import { createLimiter, type Limiter, refillMs, type RateTier } from "../../base/limits.ts";
import { listTokens } from "../../delegation/tokens/tokens.ts";
import type { Line } from "./entity.ts";
import { type Part, partsOf } from "./exporting.ts";

/** A member's download of their own data. */
export interface OwnData {
  username: string;
  /** Time of the request, in ms since the epoch. */
  at: number;
  /**
   * The data to write. Pages of rows are read while the download is written, so later changes may be included
   * or not.
   */
  parts: Iterable<Part>;
}

/**
 * Rate limit of downloads per member. A member who has lost the file can download again. A client that
 * downloads in a loop is stopped.
 */
const DOWNLOADS: RateTier = { sustained: 3 / (HOUR / MINUTE), burst: 3 };

function downloads(core: Core): Limiter {
  return createLimiter(core.clock.elapsed, refillMs(DOWNLOADS));
}

/**
 * Returns all data of the caller, as `guildhall export --builder` selects it, and the caller's tokens without
 * secrets. Records the download in the audit log. Requires a recent sign-in (`requireFresh`), so that a
 * person with access to an open session cannot take all messages. Throws forbidden, rate_limited after three
 * downloads within an hour. Call it in a transaction, and read `parts` after the transaction.
 */
export function readOwnData(core: Core, caller: Caller): OwnData {
  const { builderId, username } = requirePerson(caller);
  requireFresh(core, caller);
  const { allowed, retryInMs } = core.memory(downloads).charge(builderId, DOWNLOADS);
  if (!allowed) throw refuseFor("too_many_tries", retryInMs);
  recordBy(core, caller, "account.downloaded", builderId);
  const at = core.clock.now();
  return { username, at, parts: ownParts(core, caller, { at, builderId, username }) };
}

function* ownParts(
  core: Core,
  caller: Caller,
  { at, builderId, username }: { at: number; builderId: string; username: string },
): Generator<Part> {
  yield* partsOf(core, { at, builderId });
  yield { name: "tokens", schema: TOKENS, lines: tokenLines(core, caller, username) };
}

function* tokenLines(core: Core, caller: Caller, username: string): Generator<Line> {
  for (const { id, name, state, scopes, workspace, createdAt, expiresAt, lastUsedAt } of listTokens(
    core,
    caller,
    username,
  ))
    yield {
      id,
      name,
      state,
      scopes,
      workspace_id: workspace.id,
      created_at: isoTime(createdAt),
      expires_at: expiresAt === null ? null : isoTime(expiresAt),
      last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
    };
}

const TEXT = { type: "string" };
const MOMENT = { type: "string", format: "date-time" };
const TOKENS: Line = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "tokens",
  type: "object",
  properties: {
    id: TEXT,
    name: TEXT,
    state: { enum: ["live", "expired", "revoked"] },
    scopes: { type: "array", items: TEXT },
    workspace_id: TEXT,
    created_at: MOMENT,
    expires_at: { ...MOMENT, type: ["string", "null"] },
    last_used_at: { ...MOMENT, type: ["string", "null"] },
  },
  additionalProperties: false,
};
