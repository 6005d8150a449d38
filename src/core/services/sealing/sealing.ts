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

/** A column that holds what is sealed. */
interface Column<Row extends { sealed: Uint8Array }> {
  purpose: SecretPurpose;
  /** To what a value is bound; what seals it says so too. */
  owner(row: Row): string;
  /** The next rows behind one, in an order that stays. */
  select(core: Core, after: Row | undefined, limit: number): Row[];
  put(core: Core, row: Row, sealed: Buffer): void;
}

/** The same, whatever its rows are like. */
interface SealedColumn {
  /** Goes through all of it in slices. */
  slices(core: Core, work: (row: Sealed) => void): Generator<number>;
}

interface Sealed {
  purpose: SecretPurpose;
  owner: string;
  sealed: Uint8Array;
  put(sealed: Buffer): void;
}

/** So many are looked at in one transaction: some milliseconds, which a write of others has to wait. */
const SLICE = 200;

function column<Row extends { sealed: Uint8Array }>({
  purpose,
  owner,
  select,
  put,
}: Column<Row>): SealedColumn {
  return {
    *slices(core, work) {
      let after: Row | undefined;
      for (;;) {
        const rows = core.db.transact(() => {
          const slice = select(core, after, SLICE);
          for (const row of slice)
            work({
              purpose,
              owner: owner(row),
              sealed: row.sealed,
              put: (sealed) => put(core, row, sealed),
            });
          return slice;
        });
        if (rows.length === 0) return;
        after = rows.at(-1);
        yield rows.length;
      }
    },
  };
}

/**
 * All that is sealed with the operator's key, by column: what a rotation goes through, and a check. Beside it
 * stands the mark by which a start knows the key (`key-check` in settings), which is written anew as the
 * first thing. A column that is not here would be lost with the old key: tests/core/sealing.test.ts.
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

/** The findings of one column. */
export interface Looked {
  column: string;
  /** Values that were looked at. */
  count: number;
  /** Those that no key here opens: damaged, or sealed with a key that is gone. */
  lost: number;
  /** Those that were sealed anew. */
  changed: number;
}

/**
 * Seals everything with the key that seals now, in slices: after each it yields what was done in its column
 * until then, and who asks for the next one decides when. Done twice it changes nothing the second time.
 */
export function* reseal(core: Core): Generator<Looked> {
  yield* walkSealed(core, ({ purpose, owner, sealed, put }) => {
    const anew = core.secrets.reseal(purpose, owner, sealed);
    if (anew) put(anew);
    return anew !== undefined;
  });
}

/** Opens everything, or of each column the first slice, in the same way; changes nothing. */
export function* check(core: Core, isAll: boolean): Generator<Looked> {
  yield* walkSealed(
    core,
    ({ purpose, owner, sealed }) => {
      core.secrets.open(purpose, owner, sealed);
      return false;
    },
    isAll ? Infinity : SLICE,
  );
}

function* walkSealed(core: Core, work: (row: Sealed) => boolean, atMost = Infinity): Generator<Looked> {
  for (const [name, each] of Object.entries(SEALED)) {
    const findings: Looked = { column: name, count: 0, lost: 0, changed: 0 };
    const slices = each.slices(core, (row) => {
      try {
        if (work(row)) findings.changed++;
      } catch {
        findings.lost++;
      }
    });
    for (const count of slices) {
      findings.count += count;
      yield { ...findings };
      if (findings.count >= atMost) break;
    }
    if (findings.count === 0) yield findings;
  }
}
