import { createHash } from "node:crypto";
import { record } from "../../identity/audit/audit.ts";
import { HOUR, SECOND } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import { removeCreatedByGrant } from "../../outbox/webhooks/webhooks.ts";
import { ACCESS_TOKEN_MS } from "./access-tokens.ts";
import {
  consumeRecordRow,
  dropRecordRow,
  dropRecordsOfFamily,
  findGrantParties,
  findRecordRow,
  findRecordRowByUserCode,
  hasRecordsOfGrant,
  insertRevoked,
  pruneRecordRows,
  pruneRevoked,
  putRecordRow,
  type RecordRow,
} from "./records-store.ts";

export { dropRecordsOfBuilder, dropRecordsOfGrant, selectDeviceCodesOf } from "./records-store.ts";

/** Kinds of things the OAuth server remembers from one request to the next. */
export type RecordModel = "Interaction" | "AuthorizationCode" | "DeviceCode" | "RefreshToken";

/** A thing remembered. It is found by its id, which is the code or token itself and kept only as a hash. */
export interface StoredRecord {
  payload: Record<string, unknown>;
  /** Times in ms since the epoch. */
  consumedAt: number | null;
  expiresAt: number;
  /** Of a refresh token used a moment ago: the one that took its place, while that is unused. */
  successor: string | null;
}

/** All that one request changes. It is written in one go or not at all: see `commitChanges`. */
export type Change =
  | {
      kind: "put";
      model: RecordModel;
      id: string;
      payload: Record<string, unknown>;
      expiresAt: number;
      grant?: GrantRef | undefined;
      userCode?: string | undefined;
    }
  | { kind: "consume"; model: RecordModel; id: string; successor?: string | undefined }
  | { kind: "drop"; model: RecordModel; id: string }
  /** `isReplay`: because something was used a second time; its builder finds it in the audit log. */
  | { kind: "end-family"; grant: GrantRef; isReplay: boolean }
  | { kind: "revoke-token"; jti: string };

/**
 * One authorization under a grant: a builder may have the same app on two devices, and one of them may be
 * lost.
 */
export interface GrantRef {
  id: string;
  family: string;
}

/** Somebody else was first with a code or refresh token; nothing of this request is stored. */
export class AlreadyConsumed extends Error {
  override name = "AlreadyConsumed";
}

/**
 * A client whose answer was lost may show a refresh token again within this time, and gets the same next one
 * as before: never a second family (RFC 9700 §4.14.2 leaves the grace to us).
 */
const REFRESH_GRACE_MS = 10 * SECOND;

/** An expired record is kept a little, so that it is told apart from one that never was. */
const EXPIRED_KEPT_MS = HOUR;

export function findRecord(core: Core, model: RecordModel, id: string): StoredRecord | undefined {
  const idHash = hashOf(id);
  const row = findRecordRow(core, model, idHash);
  return row && openRecord(core, model, idHash, row);
}

/** A device code by what a person types in, normalised. */
export function findRecordByUserCode(core: Core, userCode: string): StoredRecord | undefined {
  const row = findRecordRowByUserCode(core, hashOf(userCode));
  return row && openRecord(core, "DeviceCode", row.idHash, row);
}

/**
 * Writes everything that one request changes, in one transaction: killed in the middle, the old state stands
 * (docs/threats.md#E13). Call it inside `transact` or `write`. Throws AlreadyConsumed, where another request
 * was first.
 */
export function commitChanges(core: Core, changes: readonly Change[]): void {
  core.db.transact(() => {
    for (const change of changes) apply(core, change);
  });
}

/** Drops what has expired, in small slices. Called now and then. */
export async function forgetOldRecords(core: Core): Promise<void> {
  const now = core.clock.now();
  while ((await core.db.write(() => pruneRecordRows(core, now - EXPIRED_KEPT_MS, 500))) > 0);
  while ((await core.db.write(() => pruneRevoked(core, now, 500))) > 0);
}

function apply(core: Core, change: Change): void {
  const now = core.clock.now();
  switch (change.kind) {
    case "put": {
      const { model, id, payload, expiresAt, grant, userCode } = change;
      const idHash = hashOf(id);
      putRecordRow(core, {
        model,
        idHash,
        payload: core.secrets.seal("oauth-record", recordOwner(model, idHash), JSON.stringify(payload)),
        grantId: grant?.id ?? null,
        family: grant?.family ?? null,
        userCodeHash: userCode === undefined ? null : hashOf(userCode),
        expiresAt,
      });
      return;
    }
    case "consume": {
      const { model, id, successor } = change;
      const idHash = hashOf(id);
      const sealed =
        successor === undefined ? null : core.secrets.seal("oauth-record", successorOwner(idHash), successor);
      if (!consumeRecordRow(core, model, idHash, now, sealed)) throw new AlreadyConsumed();
      return;
    }
    case "drop":
      dropRecordRow(core, change.model, hashOf(change.id));
      return;
    case "end-family":
      endFamily(core, change.grant, change.isReplay);
      return;
    case "revoke-token":
      insertRevoked(core, change.jti, now + ACCESS_TOKEN_MS);
  }
}

function endFamily(core: Core, { id, family }: GrantRef, isReplay: boolean): void {
  dropRecordsOfFamily(core, family);
  insertRevoked(core, family, core.clock.now() + ACCESS_TOKEN_MS);
  // Nothing is left that the app could come back with: what it hears by ends too.
  if (!hasRecordsOfGrant(core, id)) removeCreatedByGrant(core, id);
  const parties = isReplay ? findGrantParties(core, id) : undefined;
  if (!parties) return;
  const { builderId, name } = parties;
  record(core, { act: "grant.replayed", actor: null, subject: builderId, detail: { name }, address: null });
}

function openRecord(core: Core, model: RecordModel, idHash: Buffer, row: RecordRow): StoredRecord {
  const payload = JSON.parse(
    core.secrets.open("oauth-record", recordOwner(model, idHash), row.payload),
  ) as Record<string, unknown>;
  const { consumedAt, expiresAt } = row;
  return { payload, consumedAt, expiresAt, successor: successorOf(core, model, idHash, row) };
}

/** Only while the one after it is unused: once that was shown too, two people hold tokens of one family. */
function successorOf(core: Core, model: RecordModel, idHash: Buffer, row: RecordRow): string | null {
  const { consumedAt, successor } = row;
  if (consumedAt === null || successor === null) return null;
  if (Math.abs(core.clock.now() - consumedAt) >= REFRESH_GRACE_MS) return null;
  const token = core.secrets.open("oauth-record", successorOwner(idHash), successor);
  return findRecordRow(core, model, hashOf(token))?.consumedAt === null ? token : null;
}

/** To what a sealed record is bound. */
export function recordOwner(model: string, idHash: Buffer): string {
  return `${model} ${idHash.toString("base64url")}`;
}

/** To what the token is bound that took the place of a record's. */
export function successorOwner(idHash: Buffer): string {
  return recordOwner("successor", idHash);
}

function hashOf(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}
