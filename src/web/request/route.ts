import type { IncomingFile } from "../../core/community/media/picture-storage.ts";
import type { Caller } from "../../core/identity/access/caller.ts";
import type { Role } from "../../core/identity/access/roles.ts";
import type { StaffNames } from "../../core/identity/builders/look-alikes.ts";
import type { Core } from "../../core/base/core.ts";
import type { CoreError } from "../../core/base/errors.ts";
import type { Language } from "../../core/base/locales.ts";
import type { PagePolicy } from "../../http/answer.ts";
import type { RequestContext } from "../../http/context.ts";
import type { PageLocale } from "./locale.ts";
import type { Words } from "../../locale/words.ts";

/** A signed-in person. */
export interface Person {
  /** `means` is «session». */
  caller: Caller & { builderId: string; workspaceId: string };
  /** When they last showed who they are; ms since the epoch. */
  signedInAt: number;
  name: string;
  role: Role;
  /** Their chosen language; null follows the browser. */
  language: Language | null;
}

/** The request of a page, with everything its handler needs. */
export interface PageContext extends PageLocale {
  core: Core;
  context: RequestContext;
  /** The names of staff, read once for the page. */
  staff(): StaffNames;
  /** Undefined for a visitor who has not signed in. */
  person: Person | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The fields of a form; empty for a GET. */
  form: URLSearchParams;
  /** The file that came with it; undefined where none was chosen. Whoever called the page drops it. */
  file?: IncomingFile | undefined;
  /** Writes for whoever asks, where they still may when it comes to that: see `writeAs`. */
  write<Result>(change: () => Result): Promise<Result>;
  /**
   * What the forms are tied to of a visitor whose first page this is: it goes out with it. Undefined for
   * everybody else.
   */
  newAnchor: string | undefined;
  /** Goes into every form as `form_token`: proof that the form was ours (docs/threats.md#F01). See `Form`. */
  formToken: string;
}

/** The same for a page that needs a signed-in person. */
export interface PersonContext extends PageContext {
  person: Person;
}

/**
 * What others see of a page before they open it: search engines, messengers, readers of feeds
 * (docs/contract.md#9.21). A page without one is not for them.
 */
export interface LinkPreview {
  /** A sentence or two of plain text. */
  description: string;
  /** The Open Graph type; defaults to `website`. */
  kind?: "article" | "profile";
  /** The one path under which it is to be known. */
  path: string;
  /** A picture of it, by its whole address; the community's mark where there is none. */
  picture?: string | undefined;
  /** Its feed, by the path without the ending, and what that is called. */
  feed?: { path: string; title: string };
}

/** The unread counts of the person, up to a hundred. */
export interface UnreadCounts {
  unread: number;
  matches: number;
  messages: number;
  /** The page of messages that shows what is unread. */
  messagesAt: string;
}

/** A page, before it has its frame. */
export interface View {
  status?: number;
  /** The refusal of a form that is shown again. It sets the status. */
  error?: CoreError | undefined;
  /** Empty: the name of the community alone. */
  title: string;
  body: JSX.Element;
  /** A form that takes back what the notice says was done; it is shown with the notice alone. */
  undo?: JSX.Element;
  /** The link preview; left out for a private page. */
  linkPreview?: LinkPreview;
  /** Which entry of the settings' list it is; undefined outside of the settings. */
  section?: SectionName;
  /** The sidebar of wide screens. Everything in it is on another page, too. */
  sidebar?: (waiting: UnreadCounts) => JSX.Element;
  /** Takes as much of a wide screen as two columns need. */
  isWide?: boolean;
  /** Leaves the settings' list and the top bar's links away: sign-in, consent. */
  isPlain?: boolean;
  policy?: PagePolicy;
}

export type Notice = keyof Words["notices"];

/** An answer that sends the browser on. */
export interface Redirect {
  to: string;
  /** Which of the notices the next page begins with. */
  notice?: Notice;
  cookies?: readonly string[];
}

export type PageAnswer = View | Redirect | Response;

export type SectionName =
  | "profile"
  | "account"
  | "notifications"
  | "tokens"
  | "apps"
  | "connected"
  | "webhooks"
  | "workspaces"
  | "following"
  | "activity";

/** One address of the site. */
export interface PageRoute {
  method: "GET" | "POST";
  /** The route pattern, such as `/settings/tokens/:id/revoke`. */
  path: string;
  /**
   * Whom it is for: whoever comes, whoever reads this community (docs/contract.md#12.24), its members, its
   * moderators, those who run it. Others get the sign-in form, or are told that there is no such page.
   */
  access: "anyone" | "reader" | "signed-in" | "moderator" | "admin";
  /**
   * Takes a POST that no page of ours sent, as a mailbox does: its address carries a token that proves what
   * it may.
   */
  isForeign?: true;
  /** Whether browsers request it with every page: then it is not rate limited (docs/contract.md#3.5). */
  isFree?: true;
  /** The kind of file that its form may upload, by signed-in people. A text becomes a field. */
  takesFile?: "picture" | "text";
  /**
   * Fields that its form may send more than once, as boxes of one name do. Any other is refused where it is
   * repeated.
   */
  repeats?: readonly string[];
  /** The page for a visitor instead, by the community settings; undefined for the usual answer. */
  forStrangers?(ctx: PageContext): PageAnswer | undefined;
  handle(ctx: PageContext): PageAnswer | Promise<PageAnswer>;
}

/** A page for readers of the community: everybody, or members alone. */
export function readerPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PageContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "reader", handle };
}

/** A page for everybody, without content of members: the ways to sign in and out. */
export function publicPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PageContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "anyone", handle };
}

/** A page for signed-in people. Everybody else signs in first and returns to it. */
export function signedInPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "signed-in", handle: handle as PageRoute["handle"] };
}

/** A page for moderators, admins and owners. The core asks again in every call (`requireModerator`). */
export function moderatorPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "moderator", handle: handle as PageRoute["handle"] };
}

/** A page for admins and owners. The core asks for `admin` again in every call. */
export function adminPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "admin", handle: handle as PageRoute["handle"] };
}

/** The page with a form that may upload a picture, as `file`. */
export function withFile(route: PageRoute): PageRoute {
  return { ...route, takesFile: "picture" };
}

/** The page with a form that may upload a text file, as the field `file`. */
export function withText(route: PageRoute): PageRoute {
  return { ...route, takesFile: "text" };
}

/** The page with a form that may repeat these fields. */
export function withRepeats(route: PageRoute, ...repeats: readonly string[]): PageRoute {
  return { ...route, repeats };
}
