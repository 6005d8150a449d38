/** @jsxImportSource @kitajs/html */
import { Elysia } from "elysia";
import { sessionOf, writeAs } from "../core/identity/accounts/sessions.ts";
import type { Core } from "../core/ground/core.ts";
import { CoreError, refuse } from "../core/ground/errors.ts";
import { html, refusal, STATUS_OF } from "../http/answer.ts";
import { type Asset, assetAnswer } from "../http/asset.ts";
import { readForm } from "../http/body.ts";
import type { Door } from "../http/door.ts";
import { createCarrier, type Visit } from "../http/visit.ts";
import { ASKED_UNNAMED, ICON, SCRIPT, STYLESHEET } from "./assets.ts";
import {
  cookieJar,
  dropCookie,
  formTokenOf,
  maskToken,
  noticeMark,
  readCookie,
  setCookie,
} from "./request/cookies.ts";
import { NOTICES } from "./parts/notices.ts";
import { sentenceOf, TITLES } from "./parts/sentences.ts";
import { requireOwnForm } from "./request/forms.ts";
import { Heading, type Links, renderPage } from "./parts/layout.tsx";
import { signInView } from "./pages/entry/sign-in.tsx";
import type { PageAnswer, PageAsk, PageRoute, Person, Redirect, View } from "./request/route.ts";

const FRAME = { stylesheet: STYLESHEET.address, script: SCRIPT.address, icon: ICON.address };

/** How long a browser keeps what it asks for at an address that never changes. */
const A_DAY = "public, max-age=86400";

/** How long a browser keeps what its forms are tied to: a form left open over night still works. */
const VISITOR_SECONDS = 7 * 24 * 3600;

/** How long a browser may take to come to the page that a form leads to. */
const NOTICE_SECONDS = 60;

/** The pages for people, and what the other doors want of them. */
export interface Site {
  /**
   * What no other door takes. Elysia finds the page; a form is ours or refused; what the core refuses becomes a page that says so.
   */
  door(routes: readonly PageRoute[]): Door;
  /** Who has signed in with the browser that asks. */
  personOf(visit: Visit): Person | undefined;
  /** A page that says what went wrong at another door where a person stands. */
  problemPage(visit: Visit, status: number, problem: { title: string; message: string }): Response;
  /**
   * How a door tells what went wrong where a page was asked for: as a page. Nobody is looked up for it, as it
   * is also said of floods and of a database that does not answer. A program gets the body of an error
   * (docs/contract.md#1.14).
   */
  refusePage(visit: Visit, thrown: unknown): Response;
}

export function createSite(core: Core, links: Links): Site {
  /** Looked up once a visit. */
  const people = new WeakMap<Visit, { person: Person | undefined }>();
  const site: Site = {
    door,
    personOf,
    problemPage: (visit, status, problem) =>
      present(links, askOf(visit, {}, personOf(visit)), { ...problemView(visit, problem), status }),
    refusePage(visit, thrown) {
      if (!isForPage(visit)) return refusal(visit, thrown);
      const ask = { ...askOf(visit, {}, undefined), newAnchor: undefined };
      return present(links, ask, { ...refusalView(visit, thrown), isPlain: true });
    },
  };
  return site;

  function personOf(visit: Visit): Person | undefined {
    const known = people.get(visit);
    if (known) return known.person;
    const secret = readCookie(visit.request.headers.get("cookie"), cookieJar(core.origin).session);
    const found = secret === undefined ? undefined : sessionOf(core, secret, visit.address());
    const person = found && { ...found, signedInAt: found.session.createdAt };
    people.set(visit, { person });
    return person;
  }

  function askOf(visit: Visit, params: Record<string, string>, person: Person | undefined): PageAsk {
    const jar = cookieJar(core.origin);
    const own = readCookie(visit.request.headers.get("cookie"), person ? jar.session : jar.visitor);
    // A visitor's first page ties its forms to a cookie that goes out with it.
    const newAnchor =
      own === undefined ? Buffer.from(core.random.bytes(32)).toString("base64url") : undefined;
    return {
      core,
      visit,
      person,
      params,
      query: new URLSearchParams(visit.query),
      form: new URLSearchParams(),
      write: (change) => (person ? writeAs(core, person.caller, change) : core.db.write(change)),
      newAnchor,
      formToken: maskToken(formTokenOf(own ?? newAnchor ?? ""), core.random.bytes(32)),
    };
  }

  function door(routes: readonly PageRoute[]): Door {
    const { carry, visitOf } = createCarrier();
    const app = new Elysia({ strictPath: true }).onError(({ code, error, request }) => {
      if (code === "NOT_FOUND" || code === "PARSE" || code === "VALIDATION")
        return nothingHere(visitOf(request));
      throw error;
    });
    for (const route of routes) {
      app.route(route.method, route.path, ({ request, params }) => {
        const answer = show(route, visitOf(request), params as Record<string, string>);
        return answer;
      });
    }
    for (const asset of [STYLESHEET, SCRIPT]) serve(asset);
    for (const asset of ASKED_UNNAMED) serve(asset, A_DAY);
    return {
      prefix: "",
      isCounted: true,
      identify: (visit) => personOf(visit)?.caller,
      handle: (visit) => app.fetch(carry(visit)),
      refuse: site.refusePage,
    };

    function serve(asset: Asset, otherwise?: string): void {
      app.get(asset.path, ({ request }) => {
        const answer = assetAnswer(visitOf(request), asset, otherwise);
        return answer;
      });
    }
  }

  async function show(route: PageRoute, visit: Visit, params: Record<string, string>): Promise<Response> {
    let ask = askOf(visit, params, personOf(visit));
    try {
      if (route.method === "POST") {
        const form = await readForm(visit.request);
        // A body may be held back for long: who sends it is whoever they are by its end, not at its beginning.
        people.delete(visit);
        ask = { ...askOf(visit, params, personOf(visit)), form };
        requireOwnForm(visit, ask.form, ask.formToken, core.origin);
      }
      return present(links, ask, await answerOf(route, ask));
    } catch (thrown) {
      return present(links, ask, refusalView(visit, thrown));
    }
  }

  function answerOf(route: PageRoute, ask: PageAsk): PageAnswer | Promise<PageAnswer> {
    if (route.access === "anyone") return route.handle(ask);
    if (!ask.person) return signInView(ask, { next: comeBack(ask) });
    // To everybody else it is no address at all: what admins have is not told.
    if (route.access === "admin" && !ask.person.isAdmin) throw refuse("page_unknown");
    return route.handle(ask);
  }

  function nothingHere(visit: Visit): Response {
    const error = refuse("nothing_here");
    if (!isForPage(visit)) return refusal(visit, error);
    return present(links, askOf(visit, {}, personOf(visit)), refusalView(visit, error));
  }
}

/** Whether a browser waits for a page, and not for a part of one. */
function isForPage({ request }: Visit): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}

function present(links: Links, ask: PageAsk, answer: PageAnswer): Response {
  if (answer instanceof Response) return answer;
  if ("to" in answer) return redirect(ask, answer);
  const anchor = ask.newAnchor;
  const jar = cookieJar(ask.core.origin);
  const { error } = answer;
  if (error?.retryAfterSeconds !== undefined)
    ask.visit.headers["retry-after"] = String(error.retryAfterSeconds);
  const status = answer.status ?? (error ? STATUS_OF[error.error] : 200);
  const notice = noticeOf(ask);
  return html(ask.visit, status, renderPage({ ...FRAME, links, notice }, ask, answer), {
    ...answer.policy,
    formAction: ["'self'", ...(answer.policy?.formAction ?? [])],
    headers: [
      ["cache-control", "private, no-store"],
      ...(anchor === undefined
        ? []
        : [["set-cookie", setCookie(jar, "visitor", anchor, VISITOR_SECONDS)] as const]),
      ...(notice === undefined ? [] : [["set-cookie", dropCookie(jar, "notice")] as const]),
      ...(answer.policy?.headers ?? []),
    ],
  });
}

/** Its words are shown where this browser holds the mark of them: an address alone, which anybody can write, says nothing. */
function noticeOf({ core, visit, query }: PageAsk): string | undefined {
  const key = query.get("notice") ?? "";
  if (!Object.hasOwn(NOTICES, key)) return undefined;
  const held = readCookie(visit.request.headers.get("cookie"), cookieJar(core.origin).notice);
  return held === noticeMark(key) ? NOTICES[key] : undefined;
}

function redirect({ core, visit }: PageAsk, { to, notice, cookies = [] }: Redirect): Response {
  const headers = new Headers(visit.headers);
  const mark = to.includes("?") ? "&" : "?";
  headers.set("location", notice === undefined ? to : `${to}${mark}notice=${notice}`);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  if (notice !== undefined)
    headers.append(
      "set-cookie",
      setCookie(cookieJar(core.origin), "notice", noticeMark(notice), NOTICE_SECONDS),
    );
  return new Response(null, { status: 303, headers });
}

/** A form sent without a session cannot be sent again by itself: its page is where to come back to. */
function comeBack({ visit }: PageAsk): string {
  return visit.method === "GET" ? visit.path + (visit.query === "" ? "" : `?${visit.query}`) : "/";
}

/** What was thrown, as a page: our own refusals say what to change, anything else is masked. */
function refusalView(visit: Visit, thrown: unknown): View {
  visit.report(thrown);
  const error = thrown instanceof CoreError ? thrown : refuse("fault_of_ours");
  return { ...problemView(visit, { title: TITLES[error.error], message: sentenceOf(error) }), error };
}

function problemView(visit: Visit, { title, message }: { title: string; message: string }): View {
  return {
    title,
    body: (
      <>
        <Heading title={title}>
          <p safe>{message}</p>
        </Heading>
        <p>
          <a class="button quiet" href="/">
            To the front page
          </a>
        </p>
        <p class="hint part">
          If you ask somebody about this, quote the request id <code safe>{visit.requestId}</code>.
        </p>
      </>
    ),
  };
}
