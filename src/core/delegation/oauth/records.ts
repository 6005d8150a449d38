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

/** Kinds of records that the OAuth server stores between requests. */
export type RecordModel = "Interaction" | "AuthorizationCode" | "DeviceCode" | "RefreshToken";

/**
 * A stored code, refresh token or interaction. The code or token is the id of the record, and only its hash
 * is stored.
 */
export interface StoredRecord {
  payload: Record<string, unknown>;
  /** Times in ms since the epoch. */
  consumedAt: number | null;
  expiresAt: number;
  /**
   * The refresh token that replaced this token. Set only during the grace period after this token was used,
   * and only while the new token is unused.
   */
  successor: string | null;
}

/**
 * A change that a request makes to the records. All changes of a request are committed together: see
 * `commitChanges`.
 */
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
  /**
   * Ends a token family. `isReplay` means that a code or refresh token was used twice. The replay is then
   * recorded in the builder's audit log.
   */
  | { kind: "end-family"; grant: GrantRef; isReplay: boolean }
  | { kind: "revoke-token"; jti: string };

/**
 * One authorization under a grant. A builder may authorize the same app on two devices, and then each device
 * has its own token family.
 */
export interface GrantRef {
  id: string;
  family: string;
}

/**
 * Thrown if another request consumed the code or refresh token first. No change of the current request is
 * then stored.
 */
export class AlreadyConsumed extends Error {
  override name = "AlreadyConsumed";
}

/**
 * Grace period after the first use of a refresh token. In this period, a client may use the token a second
 * time, because the client may not have received the response. The client then gets the same successor, never
 * a second family. RFC 9700 §4.14.2 leaves this behaviour to the server.
 */
const REFRESH_GRACE_MS = 10 * SECOND;

/**
 * How long expired records are kept. As long as an expired code is kept, the server can distinguish it from
 * an unknown code.
 */
const EXPIRED_RETENTION_MS = HOUR;

export function findRecord(core: Core, model: RecordModel, id: string): StoredRecord | undefined {
  const idHash = hashOf(id);
  const row = findRecordRow(core, model, idHash);
  return row && openRecord(core, model, idHash, row);
}

/** Finds a device code by the normalized user code. */
export function findRecordByUserCode(core: Core, userCode: string): StoredRecord | undefined {
  const row = findRecordRowByUserCode(core, hashOf(userCode));
  return row && openRecord(core, "DeviceCode", row.idHash, row);
}

/**
 * Stores all changes of a request in one transaction. After a crash, either all or none of the changes are
 * stored (docs/threats.md#E13). Call it inside `transact` or `write`. Throws AlreadyConsumed if another
 * request consumed the code or refresh token first.
 */
export function commitChanges(core: Core, changes: readonly Change[]): void {
  core.db.transact(() => {
    for (const change of changes) apply(core, change);
  });
}

/** Deletes expired records in small batches. Runs periodically. */
export async function forgetOldRecords(core: Core): Promise<void> {
  const now = core.clock.now();
  while ((await core.db.write(() => pruneRecordRows(core, now - EXPIRED_RETENTION_MS, 500))) > 0);
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
  // Without records, the app can no longer get tokens under this grant. Its webhook endpoints are therefore
  // deleted too.
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

/**
 * Returns the successor of a used refresh token while the successor is unused. If the successor was used too,
 * two parties hold tokens of this family.
 */
function successorOf(core: Core, model: RecordModel, idHash: Buffer, row: RecordRow): string | null {
  const { consumedAt, successor } = row;
  if (consumedAt === null || successor === null) return null;
  if (Math.abs(core.clock.now() - consumedAt) >= REFRESH_GRACE_MS) return null;
  const token = core.secrets.open("oauth-record", successorOwner(idHash), successor);
  return findRecordRow(core, model, hashOf(token))?.consumedAt === null ? token : null;
}

/** Returns the context that a record is bound to when it is sealed. */
export function recordOwner(model: string, idHash: Buffer): string {
  return `${model} ${idHash.toString("base64url")}`;
}

/** Returns the context that the successor of a record is bound to when it is sealed. */
export function successorOwner(idHash: Buffer): string {
  return recordOwner("successor", idHash);
}

function hashOf(id: string): Buffer {
  return createHash("sha256").update(id).digest();
}
