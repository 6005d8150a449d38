import { type Static, Type } from "@sinclair/typebox";
import { Choice, HttpsUrl, Text, WholeNumber } from "../../base/check.ts";
import type { RateTier } from "../../base/limits.ts";
import { BUILDER_SCOPES, type Scope } from "../../identity/access/scopes.ts";
import { SIGNING_ALGS, type SigningAlg } from "../oauth/keys.ts";

/**
 * A confidential app keeps its secret on a server. A public app runs on devices of its users and cannot keep
 * a secret (RFC 6749 §2.1).
 */
const APP_KINDS = ["confidential", "public"] as const;
export type AppKind = (typeof APP_KINDS)[number];

/**
 * The builder or shared workspace that is responsible for an app. The owners of a workspace choose its name
 * freely, so a workspace name can imitate the name of a person.
 */
export interface Maker {
  name: string;
  isWorkspace: boolean;
}

/** An app as its makers and admins see it. Times are in ms since the epoch. */
export interface App {
  id: string;
  name: string;
  homepage: string | null;
  kind: AppKind;
  redirectUris: string[];
  /** The scopes that the app may request from a builder. */
  scopes: Scope[];
  /** Signing algorithm of the app's ID tokens. */
  idTokenAlg: SigningAlg;
  workspace: { id: string; name: string };
  maker: Maker;
  /** When the previous secret stops working; null if no previous secret works. */
  previousSecretUntil: number | null;
  /** Rate limits that an admin set for the app's callers; null if the limits of the OAuth tier apply. */
  rate: RateTier | null;
  suspended: { at: number; reason: string } | null;
  /**
   * Whether all owners of the app's workspace are suspended. Such an app does not work, like a suspended app,
   * until one owner is restored.
   */
  isOrphaned: boolean;
  createdAt: number;
}

/**
 * Maximum number of apps in a workspace. The number is limited because the list of these apps has no pages.
 */
export const APPS_MAX = 25;
export const REDIRECTS_MAX = 10;
/**
 * Maximum time, in minutes, that the burst of an app's rate limit may take to refill. `createLimiter` forgets
 * an unused bucket after at least this time, when the bucket is full again.
 */
export const RATE_FILL_MAX_MINUTES = 10;

const Name = Text({ max: 60, visible: true, line: true, examples: ["Tidewater CI"] });
const RedirectUris = Type.Array(Type.String({ maxLength: 2048 }), { minItems: 1, maxItems: REDIRECTS_MAX });
const Scopes = Type.Array(Type.String(), { maxItems: BUILDER_SCOPES.length });

export const AppDraft = Type.Object({
  name: Name,
  kind: Choice(APP_KINDS),
  redirectUris: RedirectUris,
  scopes: Scopes,
  homepage: Type.Optional(HttpsUrl()),
  idTokenAlg: Type.Optional(Choice(SIGNING_ALGS)),
});
export type AppDraft = Static<typeof AppDraft>;

export const AppChange = Type.Object({
  name: Type.Optional(Name),
  redirectUris: Type.Optional(RedirectUris),
  scopes: Type.Optional(Scopes),
  homepage: Type.Optional(Type.Union([HttpsUrl(), Type.Null()])),
  idTokenAlg: Type.Optional(Choice(SIGNING_ALGS)),
});
export type AppChange = Static<typeof AppChange>;

export const AppRate = Type.Object({
  sustained: WholeNumber(1, 10_000_000),
  burst: WholeNumber(1, 100_000_000),
});

export const Suspension = Type.Object({ reason: Text({ max: 200, visible: true, line: true }) });
