import { type Static, Type } from "@sinclair/typebox";
import { Choice, HttpsUrl, Text, Whole } from "../../base/check.ts";
import type { RateTier } from "../../base/limits.ts";
import { BUILDER_SCOPES, type Scope } from "../../identity/access/scopes.ts";
import { SIGNING_ALGS, type SigningAlg } from "../oauth/keys.ts";

/**
 * A confidential app keeps a secret on a server; a public one runs where everybody can look into it (RFC 6749
 * §2.1).
 */
const APP_KINDS = ["confidential", "public"] as const;
export type AppKind = (typeof APP_KINDS)[number];

/**
 * Who answers for an app: a builder, or a shared workspace, whose name its owners choose freely and may look
 * like anybody's.
 */
export interface Maker {
  name: string;
  isWorkspace: boolean;
}

/** What its makers and admins see of an app. Times in ms since the epoch. */
export interface App {
  id: string;
  name: string;
  homepage: string | null;
  kind: AppKind;
  redirectUris: string[];
  /** The most it may ask a builder for. */
  scopes: Scope[];
  /** How the ID tokens that it gets are signed. */
  idTokenAlg: SigningAlg;
  workspace: { id: string; name: string };
  maker: Maker;
  /** Until when the secret before the present one still works; null where none does. */
  previousSecretUntil: number | null;
  /** The rates an admin has set for its callers; null for the OAuth tier's own. */
  rate: RateTier | null;
  suspended: { at: number; reason: string } | null;
  /**
   * Nobody who owns its workspace may come in: it works as little as a suspended one, until one of them may
   * again.
   */
  isOrphaned: boolean;
  createdAt: number;
}

/** The list of a workspace is one answer, so it is bounded. */
export const APPS_MAX = 25;
export const REDIRECTS_MAX = 10;
/**
 * A bucket that takes longer to fill than this would be forgotten before it is full (see `createLimiter`).
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

export const AppRate = Type.Object({ sustained: Whole(1, 10_000_000), burst: Whole(1, 100_000_000) });

export const Suspension = Type.Object({ reason: Text({ max: 200, visible: true, line: true }) });
