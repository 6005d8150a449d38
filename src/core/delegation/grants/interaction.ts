import type { BuilderCaller } from "../../identity/access/caller.ts";
import type { Maker } from "../apps/app.ts";

/**
 * What the pages see of an authorization under way: who asks for what, and the two answers. The OAuth server
 * is behind these types, so that a page knows nothing of how it works.
 */

/** The browser that asks: what it has to show for itself. */
export interface InteractionVisitor {
  /** Its `Cookie` header as it came. An authorization belongs to the browser that began it. */
  cookies: string | null;
  /** Who has signed in there, and when (ms since the epoch); undefined for nobody. */
  person: { caller: BuilderCaller; signedInAt: number } | undefined;
}

/**
 * The app as a person must see it before they let it in: text as it is, shown as text (docs/threats.md#E10).
 */
export interface AskingApp {
  id: string;
  name: string;
  homepage: string | null;
  /**
   * Where the answer goes: the host of the redirect address, or the scheme of a private one; null for a
   * device.
   */
  redirectHost: string | null;
  /**
   * For the page's `form-action`: the origin of the redirect address, or its scheme with a colon; null for a
   * device.
   */
  redirectSource: string | null;
  maker: Maker;
  /** Milliseconds since the epoch. */
  registeredAt: number;
}

export interface AskedScope {
  name: string;
  /** What it allows, for people. */
  words: string;
  /** Granted to this app before, so it is not asked again. */
  isGranted: boolean;
}

/** What the person is asked. */
export interface ConsentQuestion {
  /** A device has no browser of its own: its answer stays here, and `allowDevice` takes it. */
  kind: "consent" | "device";
  /** The interaction's id, or the user code as it is shown (`WDJB-MJHT`). */
  uid: string;
  app: AskingApp;
  /** In the order of the scopes' own list. The first ones not granted are what the page is about. */
  scopes: AskedScope[];
  /**
   * The workspaces to choose from; one alone where the app is connected already: a connection stays in its
   * workspace.
   */
  workspaces: { id: string; name: string }[];
}

/** What stands at `/oauth/consent/{uid}`. */
export type Interaction =
  | ConsentQuestion
  /**
   * Nobody has signed in, or the app wants it done anew (`again`): show the sign-in form, and come back to
   * the same address.
   */
  | { kind: "sign-in"; uid: string; app: AskingApp; again: boolean }
  /** Nothing to ask here: send the browser on. */
  | { kind: "continue"; to: string };

/** What the person allows. */
export interface Consent {
  /** Of the scopes asked; what is left out is switched off. Those granted before stay granted. */
  scopes: readonly string[];
  workspaceId: string;
}

/** Each throws not_found for what is unknown, over, or of another browser; forbidden without a person. */
export interface Interactions {
  find(uid: string, visitor: InteractionVisitor): Promise<Interaction>;
  /** Grants, and returns the address to send the browser to. */
  allow(uid: string, visitor: InteractionVisitor, consent: Consent): Promise<string>;
  /** Refuses, and returns the address to send the browser to. */
  deny(uid: string, visitor: InteractionVisitor): Promise<string>;
  /**
   * Codes are taken in any case, with or without the hyphen. Wrong ones count against the person: throws
   * rate_limited.
   */
  findDevice(userCode: string, visitor: InteractionVisitor): Promise<ConsentQuestion>;
  allowDevice(userCode: string, visitor: InteractionVisitor, consent: Consent): Promise<void>;
  denyDevice(userCode: string, visitor: InteractionVisitor): Promise<void>;
}
