import type { BuilderCaller } from "../../identity/access/caller.ts";
import type { Maker } from "../apps/app.ts";

/**
 * The state of a running authorization, in types for the pages. With these types, the pages do not depend on
 * the OAuth server.
 */

/** The browser in which a member runs the authorization. */
export interface InteractionVisitor {
  /**
   * The unchanged `Cookie` header of the request. The cookies show whether this browser started the
   * authorization. Only the browser that started the authorization can continue it.
   */
  cookies: string | null;
  /**
   * The member who is signed in on this browser and the time of sign-in (ms since the epoch); undefined for a
   * guest.
   */
  person: { caller: BuilderCaller; signedInAt: number } | undefined;
}

/**
 * The app as the consent page shows it. The texts are not escaped, so the page must render them as text
 * (docs/threats.md#E10).
 */
export interface RequestingApp {
  id: string;
  name: string;
  homepage: string | null;
  /** Host of the redirect URI, or the scheme if it is private; null for a device. */
  redirectHost: string | null;
  /**
   * Source for the page's `form-action`: the origin of the redirect URI, or its scheme with a colon; null for
   * a device.
   */
  redirectSource: string | null;
  maker: Maker;
  /** Milliseconds since the epoch. */
  registeredAt: number;
}

export interface RequestedScope {
  name: string;
  /** Description of the scope on the consent page. */
  description: string;
  /** Whether this app already has the scope, so that the page need not ask about the scope. */
  isGranted: boolean;
}

/** The question on the consent page. */
export interface ConsentQuestion {
  /**
   * `device` is an authorization that a device without a browser started, so there is no redirect. The page
   * answers it with `allowDevice` or `denyDevice`.
   */
  kind: "consent" | "device";
  /** Id of the interaction, or the user code in its displayed form (`WDJB-MJHT`). */
  uid: string;
  app: RequestingApp;
  /**
   * The requested scopes in the order of the scope list. The page asks only about scopes that are not yet
   * granted.
   */
  scopes: RequestedScope[];
  /**
   * Workspaces to choose from. For an app that is already connected, the list contains only its workspace,
   * because a grant cannot move to another workspace.
   */
  workspaces: { id: string; name: string }[];
}

/** The state of the page at `/oauth/consent/{uid}`. */
export type Interaction =
  | ConsentQuestion
  /**
   * The visitor is not signed in, or the app requires a new sign-in (`isReauthentication`). After the
   * sign-in, the browser must return to the URL of the consent page.
   */
  | { kind: "sign-in"; uid: string; app: RequestingApp; isReauthentication: boolean }
  /** The member has no question to answer, so the page redirects the browser to `to`. */
  | { kind: "continue"; to: string };

/** The member's answer on the consent page. */
export interface Consent {
  /**
   * The requested scopes that the member allows. Scopes that were granted before are kept even if they are
   * missing here.
   */
  scopes: readonly string[];
  workspaceId: string;
}

/**
 * Operations of the consent pages. All methods throw not_found if the interaction is unknown or finished, or
 * if another browser started the interaction. All methods throw forbidden for a guest.
 */
export interface Interactions {
  find(uid: string, visitor: InteractionVisitor): Promise<Interaction>;
  /** Grants the allowed scopes to the app. Returns the URL to which the page redirects the browser. */
  allow(uid: string, visitor: InteractionVisitor, consent: Consent): Promise<string>;
  /** Refuses the app's request. Returns the URL to which the page redirects the browser. */
  deny(uid: string, visitor: InteractionVisitor): Promise<string>;
  /**
   * Finds the authorization that a device started, by its user code. Accepts the code in upper or lower case,
   * with or without the hyphen. Throws rate_limited if the member has entered too many wrong codes.
   */
  findDevice(userCode: string, visitor: InteractionVisitor): Promise<ConsentQuestion>;
  allowDevice(userCode: string, visitor: InteractionVisitor, consent: Consent): Promise<void>;
  denyDevice(userCode: string, visitor: InteractionVisitor): Promise<void>;
}
