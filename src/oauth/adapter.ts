import { findClient, type Client } from "../core/delegation/apps/apps.ts";
import { isNativeRedirect } from "../core/delegation/apps/redirects.ts";
import type { Core } from "../core/base/core.ts";
import { liveGrant } from "../core/delegation/grants/grants.ts";
import { resourceOf } from "../core/delegation/oauth/access-tokens.ts";
import {
  findRecord,
  findRecordByUserCode,
  type GrantRef,
  type RecordModel,
  type StoredRecord,
} from "../core/delegation/oauth/records.ts";
import { IDENTITY_SCOPES } from "../core/delegation/oauth/subjects.ts";
import { libraryNow, toLibraryTime, toSignInTime, currentLibraryCall } from "./library.ts";

type Payload = Record<string, unknown>;

/**
 * Storage adapter of the library (see “adapter” in the library's docs). The adapter writes nothing to the
 * database. Changes are collected in the current `LibraryCall`.
 */
export interface Adapter {
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  upsert(id: string, payload: Payload, expiresIn: number): Promise<void>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

export function adapterFor(core: Core, model: string): Adapter {
  switch (model) {
    case "Client":
      return { ...storeNothing(), find: async (id) => clientMetadata(findClient(core, id)) };
    case "Session":
      return sessions(core);
    case "Grant":
      return { ...storeNothing(), find: async (id) => grantPayload(core, id) };
    case "AccessToken":
      return accessTokens(core);
    case "Interaction":
    case "AuthorizationCode":
    case "DeviceCode":
    case "RefreshToken":
      return records(core, model);
    default:
      return storeNothing();
  }
}

/** Adapter for models that are not stored. */
function storeNothing(): Adapter {
  return {
    find: async () => undefined,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    upsert: async () => {},
    consume: async () => {},
    destroy: async () => {},
    revokeByGrantId: async () => {},
  };
}

function clientMetadata(client: Client | undefined): Payload | undefined {
  if (!client) return undefined;
  const isPublic = client.kind === "public";
  return {
    client_id: client.id,
    client_name: client.name,
    // The library requires a secret here. The core stores only a hash of the app's secret, and `isAppSecret`
    // compares the hash.
    ...(isPublic ? {} : { client_secret: "kept as a hash" }),
    token_endpoint_auth_method: isPublic ? "none" : "client_secret_basic",
    // `native` allows any port of loopback addresses (RFC 8252 §7.3).
    application_type: client.redirectUris.some(isNativeRedirect) ? "native" : "web",
    redirect_uris: client.redirectUris,
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    id_token_signed_response_alg: client.idTokenAlg,
    scope: [...Object.keys(IDENTITY_SCOPES), ...client.scopes].join(" "),
  };
}

/**
 * Adapter for the library's session. The session is derived from the member's session on this site and is
 * never stored. Signing out of the site therefore also ends the library's session. A second session, which
 * could be stolen or fixated, does not exist.
 */
function sessions(core: Core): Adapter {
  const shadow = async (key: string): Promise<Payload | undefined> => {
    const { person } = currentLibraryCall();
    if (!person || key !== sessionKey(person.builderId)) return undefined;
    const iat = libraryNow();
    return {
      kind: "Session",
      jti: key,
      uid: key,
      accountId: person.builderId,
      loginTs: toSignInTime(core, person.signedInAt),
      iat,
      exp: iat + 3600,
    };
  };
  return { ...storeNothing(), find: shadow, findByUid: shadow };
}

export function sessionKey(builderId: string): string {
  return `site-${builderId}`;
}

/** Returns the id of a grant in the library. The id contains the id of our grant and its token family. */
export function grantKey({ id, family }: GrantRef): string {
  return `${id}.${family}`;
}

export function readGrantKey(key: unknown): GrantRef | undefined {
  const [id, family] = typeof key === "string" ? key.split(".") : [];
  return id && family ? { id, family } : undefined;
}

function grantPayload(core: Core, key: string): Payload | undefined {
  const ref = readGrantKey(key);
  const grant = ref && liveGrant(core, ref.id, ref.family);
  if (!grant) return undefined;
  const iat = libraryNow();
  return { ...grantContents(core, grant), kind: "Grant", jti: key, iat, exp: iat + 3600 };
}

export function grantContents(
  core: Core,
  grant: { builderId: string; appId: string; scopes: readonly string[] },
): Payload {
  return {
    accountId: grant.builderId,
    clientId: grant.appId,
    openid: { scope: grant.scopes.filter((name) => Object.hasOwn(IDENTITY_SCOPES, name)).join(" ") },
    // The scopes of the API include the identity scopes, because the same access token also gives access to
    // `userinfo`.
    resources: { [resourceOf(core)]: grant.scopes.join(" ") },
  };
}

/**
 * Adapter for access tokens, which are not stored. If the request is about an access token, the token is
 * already verified in the `LibraryCall`.
 */
function accessTokens(core: Core): Adapter {
  return {
    ...storeNothing(),
    async find(id) {
      const { verifiedToken } = currentLibraryCall();
      if (!verifiedToken || id !== verifiedTokenHandle(verifiedToken.jti)) return undefined;
      return {
        kind: "AccessToken",
        jti: verifiedToken.jti,
        clientId: verifiedToken.appId,
        accountId: verifiedToken.builderId,
        grantId: grantKey(verifiedToken.grant),
        aud: resourceOf(core),
        scope: verifiedToken.scopes.join(" "),
        iat: toLibraryTime(core, verifiedToken.issuedAt),
        exp: toLibraryTime(core, verifiedToken.expiresAt),
      };
    },
    async destroy(jti) {
      currentLibraryCall().changes.push({ kind: "revoke-token", jti });
    },
    revokeByGrantId: endFamily,
  };
}

/**
 * Returns the handle that replaces a verified access token in a request to the library. The library accepts
 * no JWT in such requests.
 */
export function verifiedTokenHandle(jti: string): string {
  return `verified-${jti}`;
}

function records(core: Core, model: RecordModel): Adapter {
  return {
    ...storeNothing(),
    async find(id) {
      const found = findRecord(core, model, id);
      if (!found) return undefined;
      const work = currentLibraryCall();
      const grant = readGrantKey(found.payload["grantId"]);
      if (model === "AuthorizationCode") work.code = { id, isConsumed: found.consumedAt !== null, grant };
      if (model === "RefreshToken" && work.endpoint === "token" && found.successor !== null) {
        work.successor = found.successor;
        return asPayload(core, { ...found, consumedAt: null });
      }
      return asPayload(core, found);
    },
    async findByUserCode(userCode) {
      const found = findRecordByUserCode(core, userCode);
      return found && asPayload(core, found);
    },
    async upsert(id, payload, expiresIn) {
      const { changes } = currentLibraryCall();
      const used = changes.find((change) => change.kind === "consume" && change.model === model);
      if (used?.kind === "consume" && model === "RefreshToken") used.successor = id;
      const userCode = payload["userCode"];
      changes.push({
        kind: "put",
        model,
        id,
        payload,
        expiresAt: core.clock.now() + expiresIn * 1000,
        grant: readGrantKey(payload["grantId"]),
        userCode: typeof userCode === "string" ? userCode : undefined,
      });
    },
    async consume(id) {
      currentLibraryCall().changes.push({ kind: "consume", model, id });
    },
    async destroy(id) {
      currentLibraryCall().changes.push({ kind: "drop", model, id });
    },
    revokeByGrantId: endFamily,
  };
}

/**
 * Converts the times of a record to the library's clock. The library reads the machine's clock, but all times
 * in the database are times of the core's clock.
 */
function asPayload(core: Core, { payload, consumedAt, expiresAt }: StoredRecord): Payload {
  return {
    ...payload,
    exp: toLibraryTime(core, expiresAt),
    ...(consumedAt === null ? {} : { consumed: toLibraryTime(core, consumedAt) }),
  };
}

/**
 * Ends a token family. The library calls this function for each model, but one change is enough. If the
 * request revokes an access token, only this token ends. RFC 7009 §2.1 allows this.
 */
async function endFamily(key: string): Promise<void> {
  const { changes, verifiedToken, endpoint } = currentLibraryCall();
  const grant = readGrantKey(key);
  if (!grant || verifiedToken || changes.some(({ kind }) => kind === "end-family")) return;
  changes.push({ kind: "end-family", grant, isReplay: endpoint === "token" });
}
