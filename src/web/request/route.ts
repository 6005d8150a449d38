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
import type { LocaleMessages } from "../../locale/messages.ts";

/** A signed-in person. */
export interface Person {
  /** The caller of a session, so `means` is “session”. */
  caller: Caller & { builderId: string; workspaceId: string };
  /** When the person last proved their identity, in ms since the epoch. */
  signedInAt: number;
  name: string;
  role: Role;
  /** The chosen language. Null means that the browser's language applies. */
  language: Language | null;
}

/** The request of a page, with everything its handler needs. */
export interface PageContext extends PageLocale {
  core: Core;
  context: RequestContext;
  /** The names of staff, read once for the page. */
  staff(): StaffNames;
  /** Undefined for a guest. */
  person: Person | undefined;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The fields of a form; empty for a GET. */
  form: URLSearchParams;
  /** The uploaded file, if any. The caller of the page deletes it. */
  file?: IncomingFile | undefined;
  /** Writes on behalf of the person, if the person still has the permission at that time. See `writeAs`. */
  write<Result>(change: () => Result): Promise<Result>;
  /** On a guest's first page: the new cookie value that the forms are bound to. Otherwise undefined. */
  newVisitorCookie: string | undefined;
  /**
   * Every form sends this as `form_token`, which proves that the form is ours (docs/threats.md#F01). See
   * `Form`.
   */
  formToken: string;
}

/** The request of a page that needs a signed-in person. */
export interface PersonContext extends PageContext {
  person: Person;
}

/**
 * How a page appears in search engines, messengers and feed readers (docs/contract.md#9.21). A page without a
 * link preview must not be indexed.
 */
export interface LinkPreview {
  /** Plain text of one or two sentences. */
  description: string;
  /** The title of the card. By default the title of the page. */
  title?: string;
  /** The Open Graph type; defaults to `website`. */
  kind?: "article" | "profile";
  /** The canonical path. Null for a page whose URL is a secret: search engines must not index the page. */
  path: string | null;
  /** The absolute URL of a picture. By default the community's logo. */
  picture?: string | undefined;
  /** The feed of the page: its path without the extension, and its title. */
  feed?: { path: string; title: string };
  /** The content of the page as data of schema.org, for search engines. */
  data?: object | undefined;
}

/** The unread counts of the person, each up to 100. */
export interface UnreadCounts {
  unread: number;
  matches: number;
  messages: number;
  /** URL of the messages page that lists the unread messages. */
  messagesAt: string;
}

/** A page without its frame. */
export interface View {
  status?: number;
  /** The refusal of a form that is shown again. It sets the status. */
  error?: CoreError | undefined;
  /** If empty, the page has only the name of the community as its title. */
  title: string;
  body: JSX.Element;
  /** A form that undoes what the notice reports. Only shown with the notice. */
  undo?: JSX.Element;
  /** The link preview; left out for a private page. */
  linkPreview?: LinkPreview;
  /** The entry of the settings menu. Undefined outside of the settings. */
  section?: SectionName;
  /** The list before the page on wide screens. On other screens, it is only on its own page. */
  list?: { label: string; body: JSX.Element } | undefined;
  /** The sidebar on wide screens. Its content is also on other pages. */
  sidebar?: (waiting: UnreadCounts) => JSX.Element;
  /** Uses the width of two columns on a wide screen. */
  isWide?: boolean;
  /** Leaves out the settings menu and the links of the masthead, as for sign-in and consent. */
  isPlain?: boolean;
  policy?: PagePolicy;
  /** The address of the script of a page with `policy.scripts`. By default the script for passkeys. */
  script?: string;
  /** Renders the part of the page that the script asks for (docs/contract.md#9.43). */
  fragment?: () => JSX.Element;
}

export type Notice = keyof LocaleMessages["notices"];

export interface Redirect {
  to: string;
  /** The notice at the top of the next page. */
  notice?: Notice;
  cookies?: readonly string[];
  /**
   * Renders what replaces the form on an open page, with the component of the page (docs/contract.md#9.43).
   * An element with an id replaces the one with that id, and another element the form. Without one, the form
   * goes.
   */
  fragment?: () => JSX.Element;
}

export type PageAnswer = View | Redirect | Response;

export type SectionName =
  | "profile"
  | "language"
  | "account"
  | "security"
  | "sessions"
  | "notifications"
  | "messages"
  | "tokens"
  | "apps"
  | "connected"
  | "webhooks"
  | "workspaces"
  | "following"
  | "shortcuts"
  | "decisions"
  | "activity";

/** One path of the site. */
export interface PageRoute {
  method: "GET" | "POST";
  /** The route pattern, such as `/settings/tokens/:id/revoke`. */
  path: string;
  /**
   * Visitors who may open the page: everyone, readers of this community (docs/contract.md#12.24), members,
   * moderators or admins. Others get the sign-in form or “not found”.
   */
  access: "anyone" | "reader" | "signed-in" | "moderator" | "admin";
  /**
   * Accepts a POST that no page of this site sent, as from a mail provider. A token in the URL authorizes the
   * request.
   */
  acceptsForeignPosts?: true;
  /**
   * Whether browsers request the path with every page. It is then not rate limited (docs/contract.md#3.5).
   */
  isUnmetered?: true;
  /** The kind of file that signed-in people may upload with the form. A text file becomes a field. */
  takesFile?: "picture" | "text";
  /**
   * Fields that the form may send more than once, such as check boxes. Any other repeated field is rejected.
   */
  repeats?: readonly string[];
  /**
   * If the community settings require it, returns another page for guests. Undefined for the usual response.
   */
  guestPage?(ctx: PageContext): PageAnswer | undefined;
  handle(ctx: PageContext): PageAnswer | Promise<PageAnswer>;
}

/** A page for readers of the community: everyone, or members only. */
export function readerPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PageContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "reader", handle };
}

/** A page for everyone, without content of members, such as sign-in. */
export function publicPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PageContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "anyone", handle };
}

/** A page for signed-in people. Others sign in first and then return to it. */
export function signedInPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "signed-in", handle: handle as PageRoute["handle"] };
}

/**
 * A page for moderators, admins and owners. The core checks the role again in every call
 * (`requireModerator`).
 */
export function moderatorPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "moderator", handle: handle as PageRoute["handle"] };
}

/** A page for admins and owners. The core checks for `admin` again in every call. */
export function adminPage(
  method: PageRoute["method"],
  path: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): PageRoute {
  return { method, path, access: "admin", handle: handle as PageRoute["handle"] };
}

/** Returns the route with a form that may upload a picture, as `file`. */
export function withFile(route: PageRoute): PageRoute {
  return { ...route, takesFile: "picture" };
}

/** Returns the route with a form that sends the pictures of a text one at a time, and then their ids. */
export function withPictureFile(route: PageRoute): PageRoute {
  return withRepeats(withFile(route), "picture", "drop");
}

/** Returns the route with a form that may upload a text file, as the field `file`. */
export function withText(route: PageRoute): PageRoute {
  return { ...route, takesFile: "text" };
}

/** Returns the route with a form that may repeat these fields. */
export function withRepeats(route: PageRoute, ...repeats: readonly string[]): PageRoute {
  return { ...route, repeats: [...(route.repeats ?? []), ...repeats] };
}
