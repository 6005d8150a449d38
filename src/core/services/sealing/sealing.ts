import { recordOwner, successorOwner } from "../../delegation/oauth/records.ts";
import type { Core } from "../../base/core.ts";
import { answerOwner } from "../../base/idempotency/idempotency.ts";
import { formerKeyOwner } from "../../base/keyring/keyring.ts";
import type { SecretPurpose } from "../../base/sealed-secrets.ts";
import { mailOwner } from "../../identity/mail/queue.ts";
import { PUSH_KEY_OWNER } from "../../outbox/push/push.ts";
import {
  putAnswer,
  putFeedAddress,
  putFormer,
  putMailToken,
  putPayload,
  putPushKeys,
  putSecret,
  putSigningKey,
  putSuccessor,
  selectAnswers,
  selectFeedAddresses,
  selectFormer,
  selectMailTokens,
  selectPayloads,
  selectPushKeys,
  selectSecrets,
  selectSigningKeys,
  selectSuccessors,
} from "./sealing-store.ts";

/** A column with sealed values. */
interface Column<Row extends { sealed: Uint8Array }> {
  purpose: SecretPurpose;
  /**
   * Returns the context that the sealed value is bound to. Must return the same context as when the value was
   * sealed.
   */
  owner(row: Row): string;
  /** Selects the next rows after a row, in a stable order. */
  select(core: Core, after: Row | undefined, limit: number): Row[];
  put(core: Core, row: Row, sealed: Buffer): void;
}

/** A column, independent of the type of its rows. */
interface SealedColumn {
  /** Processes all rows in batches and yields the number of rows in each batch. */
  batches(core: Core, work: (row: Sealed) => void): Generator<number>;
}

interface Sealed {
  purpose: SecretPurpose;
  owner: string;
  sealed: Uint8Array;
  put(sealed: Buffer): void;
}

/** Rows per transaction. A transaction takes a few milliseconds, during which other writes wait. */
const BATCH = 200;

function column<Row extends { sealed: Uint8Array }>({
  purpose,
  owner,
  select,
  put,
}: Column<Row>): SealedColumn {
  return {
    *batches(core, work) {
      let after: Row | undefined;
      for (;;) {
        const rows = core.db.transact(() => {
          const batch = select(core, after, BATCH);
          for (const row of batch)
            work({
              purpose,
              owner: owner(row),
              sealed: row.sealed,
              put: (sealed) => put(core, row, sealed),
            });
          return batch;
        });
        if (rows.length === 0) return;
        after = rows.at(-1);
        yield rows.length;
      }
    },
  };
}

/**
 * All columns with values that are sealed with the operator's key. All these columns are processed by a key
 * rotation and by a check. If a column were missing here, its values would be lost with the old key.
 * tests/core/sealing.test.ts fails for a missing column. The setting `key-check`, which identifies the key at
 * start, is sealed too. A rotation rewrites `key-check` first.
 */
export const SEALED: Readonly<Record<string, SealedColumn>> = {
  "webhook_secrets.sealed": column({
    purpose: "webhook-secret",
    owner: ({ endpointId }) => endpointId,
    select: selectSecrets,
    put: putSecret,
  }),
  "signing_keys.sealed": column({
    purpose: "signing-key",
    owner: ({ kid }) => kid,
    select: selectSigningKeys,
    put: putSigningKey,
  }),
  "oauth_records.payload": column({
    purpose: "oauth-record",
    owner: ({ model, idHash }) => recordOwner(model, idHash),
    select: selectPayloads,
    put: putPayload,
  }),
  "oauth_records.successor": column({
    purpose: "oauth-record",
    owner: ({ idHash }) => successorOwner(idHash),
    select: selectSuccessors,
    put: putSuccessor,
  }),
  "idempotency_keys.answer": column({
    purpose: "idempotent-answer",
    owner: (row) => answerOwner(row),
    select: selectAnswers,
    put: putAnswer,
  }),
  "former_keys.sealed": column({
    purpose: "former-key",
    owner: (row) => formerKeyOwner(row),
    select: selectFormer,
    put: putFormer,
  }),
  "feed_addresses.sealed": column({
    purpose: "feed-address",
    owner: ({ builderId }) => builderId,
    select: selectFeedAddresses,
    put: putFeedAddress,
  }),
  "mails.token": column({
    purpose: "mail-token",
    owner: (row) => mailOwner(row),
    select: selectMailTokens,
    put: putMailToken,
  }),
  "push_keys.sealed": column({
    purpose: "push-key",
    owner: () => PUSH_KEY_OWNER,
    select: selectPushKeys,
    put: putPushKeys,
  }),
};

/** Result for one column, so far. */
export interface ColumnResult {
  column: string;
  /** Values that were processed. */
  count: number;
  /** Values that no available key opens, because they are damaged or their key is lost. */
  lost: number;
  /** Values that were sealed again. */
  changed: number;
}

/**
 * Seals all values with the current key, in batches. After each batch, yields the result so far for the
 * column of the batch. The next batch runs when the consumer requests the next result. If `reseal` runs a
 * second time, it finds nothing to change.
 */
export function* reseal(core: Core): Generator<ColumnResult> {
  yield* walkSealed(core, ({ purpose, owner, sealed, put }) => {
    const resealed = core.secrets.reseal(purpose, owner, sealed);
    if (resealed) put(resealed);
    return resealed !== undefined;
  });
}

/**
 * Opens all values, or only the first batch of each column, and yields results like `reseal`. Changes
 * nothing.
 */
export function* check(core: Core, isAll: boolean): Generator<ColumnResult> {
  yield* walkSealed(
    core,
    ({ purpose, owner, sealed }) => {
      core.secrets.open(purpose, owner, sealed);
      return false;
    },
    isAll ? Infinity : BATCH,
  );
}

function* walkSealed(core: Core, work: (row: Sealed) => boolean, atMost = Infinity): Generator<ColumnResult> {
  for (const [name, each] of Object.entries(SEALED)) {
    const findings: ColumnResult = { column: name, count: 0, lost: 0, changed: 0 };
    const batches = each.batches(core, (row) => {
      try {
        if (work(row)) findings.changed++;
      } catch {
        findings.lost++;
      }
    });
    for (const count of batches) {
      findings.count += count;
      yield { ...findings };
      if (findings.count >= atMost) break;
    }
    if (findings.count === 0) yield findings;
  }
}
