import type { Core } from "../../base/core.ts";
import { formerKeys, idempotencyKeys, oauthRecords, signingKeys } from "../../base/db/schema-access.ts";
import { webhookSecrets } from "../../base/db/schema-delivery.ts";
import { feedAddresses, mails, pushKeys } from "../../base/db/schema-channels.ts";

/*
 * Functions that read and write each column with sealed values. Rows are read in batches in the order of the
 * primary key, starting after the key of `after`. No table is large. A row that is inserted in the meantime
 * need not be read, because it is sealed with the newest key.
 */

type Secret = Pick<typeof webhookSecrets.$inferSelect, "endpointId" | "number" | "sealed">;

export function selectSecrets(core: Core, after: Secret | undefined, limit: number): Secret[] {
  return core.db
    .prepare<Secret>(
      `SELECT endpoint_id AS endpointId, number, sealed FROM webhook_secrets
       WHERE (endpoint_id, number) > (?, ?) ORDER BY endpoint_id, number LIMIT ?`,
    )
    .all(after?.endpointId ?? "", after?.number ?? 0, limit);
}

export function putSecret(core: Core, { endpointId, number }: Secret, sealed: Buffer): void {
  core.db.patch(webhookSecrets, { endpointId, number }, { sealed });
}

type SigningKey = Pick<typeof signingKeys.$inferSelect, "kid" | "sealed">;

export function selectSigningKeys(core: Core, after: SigningKey | undefined, limit: number): SigningKey[] {
  return core.db
    .prepare<SigningKey>("SELECT kid, sealed FROM signing_keys WHERE kid > ? ORDER BY kid LIMIT ?")
    .all(after?.kid ?? "", limit);
}

export function putSigningKey(core: Core, { kid }: SigningKey, sealed: Buffer): void {
  core.db.patch(signingKeys, { kid }, { sealed });
}

type Payload = Pick<typeof oauthRecords.$inferSelect, "model" | "idHash"> & { sealed: Buffer };

export function selectPayloads(core: Core, after: Payload | undefined, limit: number): Payload[] {
  return core.db
    .prepare<Payload>(
      `SELECT model, id_hash AS idHash, payload AS sealed FROM oauth_records
       WHERE (model, id_hash) > (?, ?) ORDER BY model, id_hash LIMIT ?`,
    )
    .all(after?.model ?? "", after?.idHash ?? Buffer.alloc(0), limit);
}

export function putPayload(core: Core, { model, idHash }: Payload, sealed: Buffer): void {
  core.db.patch(oauthRecords, { model, idHash }, { payload: sealed });
}

export function selectSuccessors(core: Core, after: Payload | undefined, limit: number): Payload[] {
  return core.db
    .prepare<Payload>(
      `SELECT model, id_hash AS idHash, successor AS sealed FROM oauth_records
       WHERE (model, id_hash) > (?, ?) AND successor IS NOT NULL ORDER BY model, id_hash LIMIT ?`,
    )
    .all(after?.model ?? "", after?.idHash ?? Buffer.alloc(0), limit);
}

export function putSuccessor(core: Core, { model, idHash }: Payload, sealed: Buffer): void {
  core.db.patch(oauthRecords, { model, idHash }, { successor: sealed });
}

type Answer = Pick<typeof idempotencyKeys.$inferSelect, "builderId" | "workspaceId" | "route" | "key"> & {
  sealed: Buffer;
};

export function selectAnswers(core: Core, after: Answer | undefined, limit: number): Answer[] {
  return core.db
    .prepare<Answer>(
      `SELECT builder_id AS builderId, workspace_id AS workspaceId, route, "key", answer AS sealed
       FROM idempotency_keys WHERE (builder_id, workspace_id, route, "key") > (?, ?, ?, ?)
       ORDER BY builder_id, workspace_id, route, "key" LIMIT ?`,
    )
    .all(after?.builderId ?? "", after?.workspaceId ?? "", after?.route ?? "", after?.key ?? "", limit);
}

export function putAnswer(core: Core, row: Answer, sealed: Buffer): void {
  const { builderId, workspaceId, route, key } = row;
  core.db.patch(idempotencyKeys, { builderId, workspaceId, route, key }, { answer: sealed });
}

type FormerKey = Pick<typeof formerKeys.$inferSelect, "purpose" | "fingerprint" | "sealed">;

export function selectFormer(core: Core, after: FormerKey | undefined, limit: number): FormerKey[] {
  return core.db
    .prepare<FormerKey>(
      `SELECT purpose, fingerprint, sealed FROM former_keys
       WHERE (purpose, fingerprint) > (?, ?) ORDER BY purpose, fingerprint LIMIT ?`,
    )
    .all(after?.purpose ?? "", after?.fingerprint ?? "", limit);
}

export function putFormer(core: Core, { purpose, fingerprint }: FormerKey, sealed: Buffer): void {
  core.db.patch(formerKeys, { purpose, fingerprint }, { sealed });
}

type PushKeys = Pick<typeof pushKeys.$inferSelect, "one" | "sealed">;

export function selectPushKeys(core: Core, after: PushKeys | undefined, limit: number): PushKeys[] {
  return core.db
    .prepare<PushKeys>("SELECT one, sealed FROM push_keys WHERE one > ? ORDER BY one LIMIT ?")
    .all(after?.one ?? 0, limit);
}

export function putPushKeys(core: Core, { one }: PushKeys, sealed: Buffer): void {
  core.db.patch(pushKeys, { one }, { sealed });
}

interface MailToken {
  seq: number;
  sealed: Buffer;
}

export function selectMailTokens(core: Core, after: MailToken | undefined, limit: number): MailToken[] {
  return core.db
    .prepare<MailToken>(
      "SELECT seq, token AS sealed FROM mails WHERE seq > ? AND token IS NOT NULL ORDER BY seq LIMIT ?",
    )
    .all(after?.seq ?? 0, limit);
}

export function putMailToken(core: Core, { seq }: MailToken, sealed: Buffer): void {
  core.db.patch(mails, { seq }, { token: sealed });
}

type FeedAddress = Pick<typeof feedAddresses.$inferSelect, "builderId" | "sealed">;

export function selectFeedAddresses(
  core: Core,
  after: FeedAddress | undefined,
  limit: number,
): FeedAddress[] {
  return core.db
    .prepare<FeedAddress>(
      `SELECT builder_id AS builderId, sealed FROM feed_addresses WHERE builder_id > ? ORDER BY builder_id LIMIT ?`,
    )
    .all(after?.builderId ?? "", limit);
}

export function putFeedAddress(core: Core, { builderId }: FeedAddress, sealed: Buffer): void {
  core.db.patch(feedAddresses, { builderId }, { sealed });
}
