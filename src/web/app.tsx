/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../core/identity/access/roles.ts";
import { type IncomingFile, withUploadLimit } from "../core/community/media/picture-storage.ts";
import { writeAs } from "../core/identity/accounts/sessions.ts";
import { type StaffNames, staffNamesOf } from "../core/identity/builders/look-alikes.ts";
import { inTrace } from "../core/outbox/events/trace.ts";
import {
  type CommunitySettings,
  communitySettingsOf,
  isForMembers,
  defaultCommunitySettings,
} from "../core/identity/community-settings/community-settings.ts";
import type { Core } from "../core/base/core.ts";
import { CoreError, refuse } from "../core/base/errors.ts";
import { html, refusal, STATUS_OF } from "../http/answer.ts";
import { assetAnswer } from "../http/asset.ts";
import { readForm } from "../http/body.ts";
import { isUpload, readTexts, readTextUpload, readUpload } from "../http/upload.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestContext } from "../http/context.ts";
import { createRouter, type Route } from "../http/router.ts";
import {
  FIXED_PATH_ASSETS,
  DISPLAY_FONT,
  ICON,
  MEMBER_SCRIPT,
  OFFLINE_SCRIPT,
  PUSH_SCRIPT,
  PUSH_WORKER,
  SCRIPT,
  SETUP_SCRIPT,
  STYLESHEET_PATH,
  stylesheets,
} from "./assets.ts";
import {
  cookieJar,
  dropCookie,
  formTokenOf,
  maskToken,
  noticeValue,
  readCookie,
  setCookie,
} from "./request/cookies.ts";
import { refusalText } from "./parts/sentences.ts";
import { TypedText } from "./parts/typed-text.tsx";
import type { LocaleMessages } from "../locale/messages.ts";
import { refuseRepeated, requireFormToken, requireSameOrigin } from "./request/forms.ts";
import { currentPerson } from "./request/current-person.ts";
import { localeOf } from "./request/locale.ts";
import { Heading, type SiteOptions, isLive, renderPage } from "./parts/layout.tsx";
import { signInView } from "./pages/entry/sign-in.tsx";
import type { PageAnswer, PageContext, PageRoute, Person, Redirect, View } from "./request/route.ts";

/**
 * Forms that work in maintenance mode. Admins can sign in, also with a recovery link of the operator.
 * Everyone can sign out. The code that opens a session checks the role of its owner.
 */
const SESSION_PATHS: ReadonlySet<string> = new Set([
  "/sign-in",
  "/sign-in/passkey",
  "/sign-in/passkey/options",
  "/setup",
  "/recover",
  "/sign-out",
  // This form changes nothing on the server, because the browser stores the language.
  "/language",
]);

const FRAME = {
  font: DISPLAY_FONT.address,
  script: SCRIPT.address,
  memberScript: MEMBER_SCRIPT.address,
  icon: ICON.address,
};

const CACHE_FOR_A_DAY = "public, max-age=86400";

/** The website, and what other transports need from it. */
export interface Site {
  /**
   * Returns the transport for all paths that no other transport has. It verifies forms, and turns refusals
   * into error pages.
   */
  transport(routes: readonly PageRoute[]): Transport;
  /** Returns the person whose session cookie the request carries. */
  personOf(context: RequestContext): Person | undefined;
  /** Renders an error of another transport as a page for a person. */
  problemPage(context: RequestContext, status: number, problem: { title: string; message: string }): Response;
  /**
   * Returns an error as a page if the client accepts HTML, otherwise as an error body
   * (docs/contract.md#1.14). Does not look up the person, because the page must also work under overload and
   * without the database.
   */
  refusePage(context: RequestContext, thrown: unknown): Response | Promise<Response>;
}

interface RenderOptions extends SiteOptions {
  stylesheetOf: ReturnType<typeof stylesheets>;
}

export function createSite(core: Core, operators: SiteOptions): Site {
  const options: RenderOptions = { ...operators, stylesheetOf: stylesheets() };
  /** Caches the person of each request. */
  const personCache = new WeakMap<RequestContext, { person: Person | undefined }>();
  const site: Site = {
    transport,
    personOf,
    problemPage(context, status, problem) {
      const ctx = contextFor(context, {}, personOf(context));
      return renderAnswer(options, ctx, { ...problemView(ctx.messages, context, problem), status });
    },
    refusePage(context, thrown) {
      if (!isForPage(context)) return refusal(context, thrown);
      const ctx = { ...contextFor(context, {}, undefined), newVisitorCookie: undefined, formToken: "" };
      const show = (form: URLSearchParams): Response =>
        renderAnswer(options, ctx, { ...refusalView({ ...ctx, form }, context, thrown), isPlain: true });
      // Reads the form if the request was rejected before, for example in maintenance mode or over the rate
      // limit.
      return context.method === "POST" ? unreadForm(context).then(show) : show(ctx.form);
    },
  };
  return site;

  function personOf(context: RequestContext): Person | undefined {
    const known = personCache.get(context);
    if (known) return known.person;
    const person = currentPerson(core, context);
    personCache.set(context, { person });
    return person;
  }

  function contextFor(
    context: RequestContext,
    params: Record<string, string>,
    person: Person | undefined,
  ): PageContext {
    const jar = cookieJar(core.origin);
    const own = readCookie(context.request.headers.get("cookie"), person ? jar.session : jar.visitor);
    // A guest's first page sets the cookie that its forms are bound to.
    const newVisitorCookie =
      own === undefined ? Buffer.from(core.random.bytes(32)).toString("base64url") : undefined;
    let staff: StaffNames | undefined;
    return {
      core,
      context,
      staff: () => (staff ??= staffNamesOf(core)),
      ...localeOf(core, settingsFor(core), context, person),
      person,
      params,
      query: new URLSearchParams(context.query),
      form: new URLSearchParams(),
      write(change) {
        const traced = () => inTrace(core, context.traceparent, change);
        return person ? writeAs(core, person.caller, traced) : core.db.write(traced);
      },
      newVisitorCookie,
      formToken: maskToken(formTokenOf(own ?? newVisitorCookie ?? ""), core.random.bytes(32)),
    };
  }

  function transport(routes: readonly PageRoute[]): Transport {
    const unmeteredPaths = new Set(routes.filter(({ isUnmetered }) => isUnmetered).map(({ path }) => path));
    const table = routes.map((route): Route => ({
      method: route.method,
      path: route.path,
      name: route.path,
      answer: (context, params) => show(route, context, params),
    }));
    const serve = (path: string, answer: Route["answer"]): void => {
      unmeteredPaths.add(path);
      table.push({ method: "GET", path, name: path, answer });
    };
    for (const file of [
      DISPLAY_FONT,
      SCRIPT,
      MEMBER_SCRIPT,
      OFFLINE_SCRIPT,
      PUSH_SCRIPT,
      PUSH_WORKER,
      SETUP_SCRIPT,
    ])
      serve(file.path, (context) => assetAnswer(context, file));
    for (const file of FIXED_PATH_ASSETS)
      serve(file.path, (context) => assetAnswer(context, file, CACHE_FOR_A_DAY));
    // Serves the stylesheet with the current accent. The URL in an older page also returns the current
    // stylesheet.
    serve(STYLESHEET_PATH, (context) => assetAnswer(context, options.stylesheetOf(settingsFor(core).accent)));
    return {
      prefix: "",
      transportName: "pages",
      isCounted: true,
      isFree: (path) => unmeteredPaths.has(path),
      identify: (context) => personOf(context)?.caller,
      mayChange: ({ path, isRead }) => !isRead && !SESSION_PATHS.has(path),
      handle: createRouter(table, notFoundPage),
      refuse: site.refusePage,
    };
  }

  async function show(
    route: PageRoute,
    context: RequestContext,
    params: Record<string, string>,
  ): Promise<Response> {
    let ctx = contextFor(context, params, personOf(context));
    try {
      if (route.method !== "POST") return renderAnswer(options, ctx, await answerOf(route, ctx));
      const answer = async (form: URLSearchParams, file?: IncomingFile): Promise<Response> => {
        // Looks up the person again, because the session can end while a slow body arrives.
        personCache.delete(context);
        ctx = { ...contextFor(context, params, personOf(context)), form, file };
        if (!route.acceptsForeignPosts) requireFormToken(context, ctx.form, ctx.formToken, core.origin);
        refuseRepeated(form, route.repeats);
        return renderAnswer(options, ctx, await answerOf(route, ctx));
      };
      if (!route.takesFile || !isUpload(context.request)) return await answer(await readForm(context));
      requireSameOrigin(context, core.origin);
      const { person } = ctx;
      if (!person) {
        ctx = { ...ctx, form: await readTexts(context) };
        return renderAnswer(options, ctx, signInView(ctx, { next: returnPath(ctx) }));
      }
      // Fields that arrived before a rejected file are shown again.
      const sent = new URLSearchParams();
      ctx = { ...ctx, form: sent };
      if (route.takesFile === "text") return await answer(await readTextUpload(context, sent));
      return await withUploadLimit(core, person.caller.builderId, async ({ receive }) => {
        const { fields, file } = await readUpload(context, receive, undefined, sent);
        try {
          return await answer(fields, file);
        } finally {
          await file?.discard();
        }
      });
    } catch (thrown) {
      // A form that was rejected before it was read is read here, for example a form over the upload limit.
      const form = ctx.form.size === 0 ? await unreadForm(context) : ctx.form;
      return renderAnswer(options, ctx, refusalView({ ...ctx, form }, context, thrown));
    }
  }

  function answerOf(route: PageRoute, ctx: PageContext): PageAnswer | Promise<PageAnswer> {
    if (route.access === "anyone") return route.handle(ctx);
    const instead = ctx.person ? undefined : route.guestPage?.(ctx);
    if (instead) return instead;
    if (route.access === "reader" && (ctx.person || !isForMembers(core))) return route.handle(ctx);
    if (!ctx.person) return signInView(ctx, { next: returnPath(ctx) });
    // Members without the role get “not found”, so the paths of moderators and admins are not revealed.
    const { access } = route;
    if ((access === "moderator" || access === "admin") && !isAtLeast(ctx.person.role, access))
      throw refuse("nothing_here");
    return route.handle(ctx);
  }

  function notFoundPage(context: RequestContext): Response {
    const error = refuse("nothing_here");
    context.report(error);
    if (!isForPage(context)) return refusal(context, error);
    const ctx = contextFor(context, {}, personOf(context));
    return renderAnswer(options, ctx, refusalView(ctx, context, error));
  }
}

/** Whether the request is for a page, and not for a script's data. */
function isForPage({ request }: RequestContext): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}

function renderAnswer(options: RenderOptions, ctx: PageContext, answer: PageAnswer): Response {
  if (answer instanceof Response) return answer;
  const isFragment = ctx.context.request.headers.has(FRAGMENT);
  if ("to" in answer) return isFragment ? fragmentOf(ctx, answer) : redirect(ctx, answer);
  const anchor = ctx.newVisitorCookie;
  const jar = cookieJar(ctx.core.origin);
  const { error } = answer;
  if (error) ctx.context.report(error);
  if (error?.retryAfterSeconds !== undefined)
    ctx.context.headers["retry-after"] = String(error.retryAfterSeconds);
  const status = answer.status ?? (error ? STATUS_OF[error.error] : 200);
  const part = isFragment && (error ? refusalFragment(ctx, error) : answer.fragment?.());
  if (part) return fragment(ctx, status, part);
  const notice = noticeOf(ctx);
  const settings = settingsFor(ctx.core);
  const stylesheet = options.stylesheetOf(settings.accent).address;
  return html(
    ctx.context,
    status,
    renderPage({ ...FRAME, stylesheet, site: options, community: settings, notice }, ctx, answer),
    {
      ...answer.policy,
      scripts: answer.policy?.scripts === true || isLive(ctx, answer),
      formAction: ["'self'", ...(answer.policy?.formAction ?? [])],
      headers: [
        ["cache-control", "private, no-store"],
        ["content-language", ctx.messages.language],
        ...(anchor === undefined ? [] : [["set-cookie", setCookie(jar, "visitor", anchor)] as const]),
        ...(notice === undefined ? [] : [["set-cookie", dropCookie(jar, "notice")] as const]),
        ...(answer.policy?.headers ?? []),
      ],
    },
  );
}

/** If the database fails, the error page uses the default settings. */
function settingsFor(core: Core): CommunitySettings {
  try {
    return communitySettingsOf(core);
  } catch {
    return defaultCommunitySettings(core);
  }
}

/**
 * Returns the notice that the URL names, if this browser has the matching cookie. The URL alone proves
 * nothing, because anyone can write a link with a notice.
 */
function noticeOf({ core, context, query, messages: { notices } }: PageContext): JSX.Element | undefined {
  const key = query.get("notice") ?? "";
  if (!isNotice(notices, key)) return undefined;
  const held = readCookie(context.request.headers.get("cookie"), cookieJar(core.origin).notice);
  return held === noticeValue(key) ? notices[key] : undefined;
}

function isNotice(notices: LocaleMessages["notices"], key: string): key is keyof LocaleMessages["notices"] {
  return Object.hasOwn(notices, key);
}

/**
 * The header with which the page script asks for a fragment instead of a page, and which marks a fragment
 * (docs/contract.md#9.43).
 */
const FRAGMENT = "guildhall-fragment";

/** Returns the fragment of a form, or the address of the next page if that form has no fragment. */
function fragmentOf(ctx: PageContext, answer: Redirect): Response {
  if (answer.fragment === undefined) {
    const { headers } = redirect(ctx, answer);
    headers.set(FRAGMENT, "");
    return new Response("", { headers });
  }
  const said = answer.notice && ctx.messages.notices[answer.notice];
  return fragment(
    ctx,
    200,
    <>
      {answer.fragment()}
      {said ? <p data-said>{said}</p> : ""}
    </>,
  );
}

function fragment(ctx: PageContext, status: number, part: JSX.Element): Response {
  return html(ctx.context, status, part as string, {
    headers: [
      ["cache-control", "private, no-store"],
      ["content-language", ctx.messages.language],
      [FRAGMENT, ""],
    ],
  });
}

/** A refusal, which the script shows at its form. */
function refusalFragment(ctx: PageContext, error: CoreError): JSX.Element {
  return (
    <p class="fault" role="alert" dir="auto" safe>
      {refusalText(ctx, error)}
    </p>
  );
}

function redirect({ core, context }: PageContext, { to, notice, cookies = [] }: Redirect): Response {
  const headers = new Headers(context.headers);
  headers.set("location", notice === undefined ? to : withNotice(to, notice));
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  if (notice !== undefined)
    headers.append("set-cookie", setCookie(cookieJar(core.origin), "notice", noticeValue(notice)));
  return new Response(null, { status: 303, headers });
}

/** Adds the notice to the query of a path, before its fragment. */
function withNotice(to: string, notice: string): string {
  const [path = "", part] = to.split("#");
  return `${path}${path.includes("?") ? "&" : "?"}notice=${notice}${part === undefined ? "" : `#${part}`}`;
}

/**
 * Returns the path of the page to open after signing in. A POST cannot be repeated, so after a POST this is
 * the front page.
 */
function returnPath({ context }: PageContext): string {
  return context.method === "GET" ? context.path + (context.query === "" ? "" : `?${context.query}`) : "/";
}

/** Returns the error page. A refusal says what to change. Any other error is masked. */
function refusalView(ctx: PageContext, context: RequestContext, thrown: unknown): View {
  context.report(thrown);
  const error = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  const title = ctx.messages.refusals.titles[error.error];
  const view = problemView(ctx.messages, context, { title, message: refusalText(ctx, error) });
  // The fields of a form from another site are not shown, because their text would look like ours.
  if (error.code === "form_foreign") return { ...view, error };
  return {
    ...view,
    error,
    body: (
      <>
        {view.body}
        <TypedText ctx={ctx} />
      </>
    ),
  };
}

/**
 * Reads the text fields of a form of this site, unless they were read before. Empty if the body was used or
 * the form is from another site.
 */
async function unreadForm(context: RequestContext): Promise<URLSearchParams> {
  const { request, origin } = context;
  if (context.method !== "POST" || request.bodyUsed) return new URLSearchParams();
  try {
    requireSameOrigin(context, origin);
  } catch {
    return new URLSearchParams();
  }
  return readTexts(context);
}

function problemView(
  { layout: { problem } }: LocaleMessages,
  { requestId }: RequestContext,
  { title, message }: { title: string; message: string },
): View {
  return {
    title,
    body: (
      <>
        <Heading title={title}>
          <p safe>{message}</p>
        </Heading>
        <p>
          <a class="button quiet" href="/">
            {problem.home}
          </a>
        </p>
        <p class="hint part">{problem.quote({ id: <code safe>{requestId}</code> })}</p>
      </>
    ),
  };
}
