import { cookieJar } from "../../src/web/request/cookies.ts";
import { openSession, sessionOf } from "../../src/core/identity/accounts/sessions.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { AppDraft } from "../../src/core/delegation/apps/app.ts";
import { registerApp } from "../../src/core/delegation/apps/apps.ts";
import type { InteractionVisitor } from "../../src/core/delegation/grants/interaction.ts";
import { type TestServer, signedInNow } from "../support.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

export const REDIRECT = "https://app.example/callback?tenant=7";

/** A fake browser. It keeps cookies by path (RFC 6265) and does not follow redirects. */
export interface Browser {
  /** Undefined for a guest. */
  person: InteractionVisitor["person"];
  get(address: string): Promise<Response>;
  visitorOf(path: string): InteractionVisitor;
  cookies: Map<string, { value: string; path: string }>;
}

export interface Member {
  id: string;
  username: string;
  workspaceId: string;
  caller: BuilderCaller;
}

export function createSignedInMember(server: TestServer, username: string): Member {
  const { core } = server;
  const id = createBuilder(core, OPERATOR, { username, name: `${username} Okafor`, role: "member" });
  const { workspaceId } =
    core.db
      .prepare<{ workspaceId: string }>("SELECT id AS workspaceId FROM workspaces WHERE owner_id = ?")
      .get(id) ?? ({ workspaceId: "" } as const);
  const caller = signedInNow(core, { builderId: id });
  return { id, username, workspaceId, caller };
}

export function openBrowser(server: TestServer, member?: Member): Browser {
  const cookies: Browser["cookies"] = new Map();
  const browser: Browser = {
    person: undefined,
    cookies,
    async get(address) {
      const { pathname, search } = new URL(address, server.core.origin);
      const answer = await fetch(`${server.url}${pathname}${search}`, {
        redirect: "manual",
        headers: { cookie: headerFor(cookies, pathname), accept: "text/html" },
      });
      for (const line of answer.headers.getSetCookie()) keep(cookies, line);
      return answer;
    },
    visitorOf(path) {
      return { cookies: headerFor(cookies, path), person: browser.person };
    },
  };
  if (member) signIn(server, browser, member);
  return browser;
}

export function signIn(server: TestServer, browser: Browser, member: Member): void {
  const { core } = server;
  const opened = core.db.transact(() =>
    openSession(core, member.id, { address: "203.0.113.7", agent: "test" }),
  );
  browser.cookies.set(cookieJar(core.origin).session, { value: opened.secret, path: "/" });
  const found = sessionOf(core, opened.secret, "203.0.113.7");
  if (!found) throw new Error("the new session is not valid");
  browser.person = { caller: found.caller, signedInAt: opened.session.createdAt };
}

export function signOut(browser: Browser): void {
  browser.cookies.delete("__Host-guildhall");
  browser.person = undefined;
}

function headerFor(cookies: Browser["cookies"], path: string): string {
  return [...cookies]
    .filter(([, { path: own }]) => own === "/" || path === own || path.startsWith(`${own}/`))
    .map(([name, { value }]) => `${name}=${value}`)
    .join("; ");
}

function keep(cookies: Browser["cookies"], line: string): void {
  const [pair = "", ...attributes] = line.split(/;\s*/);
  const [name = "", value = ""] = pair.split("=", 2);
  const path = attributes.find((each) => each.toLowerCase().startsWith("path="))?.slice(5) ?? "/";
  const isGone = /expires=thu, 01 jan 1970/i.test(line) || /max-age=0/i.test(line);
  if (isGone) cookies.delete(name);
  else cookies.set(name, { value, path });
}

export function makeApp(server: TestServer, maker: Member, draft: Partial<AppDraft> = {}) {
  return registerApp(server.core, maker.caller, maker.workspaceId, {
    name: "Tidewater CI",
    kind: "confidential",
    redirectUris: [REDIRECT],
    scopes: ["feed:read", "feed:write", "jobs:read"],
    ...draft,
  });
}

/** The scopes that the person allows. Default: all. */
export type Answer = readonly string[] | "all" | "refuse";

/**
 * Goes from the app's URL through sign-in and consent, and returns the redirect to the app or the error page.
 */
export async function authorize(
  server: TestServer,
  browser: Browser,
  address: string,
  answer: Answer = "all",
): Promise<{ to: URL | undefined; page: Response | undefined; asked: string[][] }> {
  const scopesShown: string[][] = [];
  let next = address;
  for (let hop = 0; hop < 10; hop++) {
    const response = await browser.get(next);
    const to = response.headers.get("location");
    if (to === null) return { to: undefined, page: response, asked: scopesShown };
    const target = new URL(to, server.core.origin);
    if (target.origin !== server.core.origin) return { to: target, page: undefined, asked: scopesShown };
    if (!target.pathname.startsWith("/oauth/consent/")) {
      next = target.href;
      continue;
    }
    const uid = target.pathname.slice("/oauth/consent/".length);
    const visitor = browser.visitorOf(target.pathname);
    const found = await server.interactions.find(uid, visitor);
    if (found.kind === "sign-in") return { to: undefined, page: response, asked: scopesShown };
    if (found.kind === "continue") {
      next = found.to;
      continue;
    }
    scopesShown.push(found.scopes.filter(({ isGranted }) => !isGranted).map(({ name }) => name));
    if (answer === "refuse") next = await server.interactions.deny(uid, visitor);
    else {
      const scopes = answer === "all" ? found.scopes.map(({ name }) => name) : answer;
      const workspaceId = found.workspaces[0]?.id ?? "";
      next = await server.interactions.allow(uid, visitor, { scopes, workspaceId });
    }
  }
  throw new Error("too many redirects");
}
