import type { Logger } from "pino";
import { createAccount } from "../../src/core/identity/accounts/accounts.ts";
import { openSession } from "../../src/core/identity/accounts/sessions.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { type TestServer, openTestServer, type TestWorldOptions } from "../support.ts";

export const PASSWORD = "correct horse battery";

export type Site = TestServer & AsyncDisposable;

/**
 * Opens a site whose public origin is the test server's URL. Requests may set the client's network address.
 */
export function openSite(
  options: TestWorldOptions & { env?: Record<string, string>; log?: Logger } = {},
): Site {
  return openTestServer({
    ...options,
    isLocal: options.origin === undefined,
    env: { GUILDHALL_TRUSTED_PROXIES: "127.0.0.1", ...options.env },
  });
}

/** A form on a page, with its initial values. */
export interface FoundForm {
  action: string;
  method: string;
  label: string | null;
  fields: [name: string, value: string][];
}

/** A response as a visitor sees it. */
export interface ShownPage {
  status: number;
  /** Path and query of the response. */
  address: string;
  headers: Headers;
  html: string;
  /** Target of a redirect, or null for a page. */
  location: string | null;
  forms: FoundForm[];
}

/** A browser without scripts. It keeps cookies, sends origin headers and can follow redirects. */
export interface Visitor {
  /** Each visitor has a unique address. */
  readonly address: string;
  readonly cookies: Map<string, string>;
  /** All raw Set-Cookie headers. */
  readonly setCookies: string[];
  open(path: string, init?: RequestInit): Promise<ShownPage>;
  /** Sends the fields without following redirects. */
  post(path: string, fields: Fields, headers?: Record<string, string | null>): Promise<ShownPage>;
  /** Fills in the form of a page with this `action`, sends it, and follows the redirect. */
  submit(page: ShownPage, action: string | RegExp, typed?: Fields): Promise<ShownPage>;
  follow(page: ShownPage): Promise<ShownPage>;
}

export type Fields = Readonly<Record<string, string | readonly string[]>>;

let visitors = 0;

export function visit(site: Site, cookies: Iterable<readonly [string, string]> = []): Visitor {
  visitors++;
  const address = `198.51.${100 + (visitors >> 8)}.${visitors & 255}`;
  const jar = new Map(cookies);
  const setCookies: string[] = [];

  async function request(path: string, init: RequestInit): Promise<ShownPage> {
    // Avoids rate limits, which other tests cover.
    site.clock.pass(1000);
    const headers = new Headers(init.headers);
    if (jar.size > 0 && !headers.has("cookie"))
      headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    headers.set("x-forwarded-for", address);
    if (!headers.has("user-agent")) headers.set("user-agent", "Mozilla/5.0 (X11; Linux) Firefox/140.0");
    const response = await fetch(site.url + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      setCookies.push(line);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    const html = await response.text();
    return {
      status: response.status,
      address: path,
      headers: response.headers,
      html,
      location: response.headers.get("location"),
      forms: await formsOf(html),
    };
  }

  const visitor: Visitor = {
    address,
    cookies: jar,
    setCookies,
    open: (path, init = {}) =>
      request(path, { ...init, headers: { accept: "text/html", ...plain(init.headers) } }),
    post(path, fields, more = {}) {
      const headers = new Headers({
        accept: "text/html",
        "content-type": "application/x-www-form-urlencoded",
        origin: site.core.origin,
        "sec-fetch-site": "same-origin",
      });
      for (const [name, value] of Object.entries(more)) {
        if (value === null) headers.delete(name);
        else headers.set(name, value);
      }
      return request(path, { method: "POST", headers, body: encode(fields) });
    },
    async submit(page, action, typed = {}) {
      const form = page.forms.find((form) =>
        typeof action === "string" ? form.action === action : action.test(form.action),
      );
      if (!form) {
        throw new Error(
          `no form goes to ${action} at ${page.address} (${page.status}): ${page.forms.map(({ action }) => action).join(", ")}`,
        );
      }
      const kept = form.fields.filter(([name]) => !(name in typed));
      const sent = new URLSearchParams(kept);
      for (const [name, value] of new URLSearchParams(encode(typed))) sent.append(name, value);
      return visitor.follow(await visitor.post(form.action, fieldsOf(sent)));
    },
    async follow(page) {
      let at = page;
      for (let i = 0; i < 5 && at.location !== null; i++) {
        const { pathname, search } = new URL(at.location, site.core.origin);
        at = await visitor.open(pathname + search);
      }
      return at;
    },
  };
  return visitor;
}

/** Creates an account and signs in with the form. */
export async function signUpMember(
  site: Site,
  username: string,
  { role = "member" }: { role?: Role } = {},
): Promise<Visitor> {
  await createAccountOf(site, username, { role });
  const visitor = visit(site);
  await signIn(visitor, username);
  return visitor;
}

export async function createAccountOf(
  site: Site,
  username: string,
  { role = "member" }: { role?: Role } = {},
): Promise<string> {
  const name = username[0]?.toUpperCase() + username.slice(1);
  return createAccount(site.core, OPERATOR, { username, name, role, password: PASSWORD });
}

export async function signIn(visitor: Visitor, username: string, password = PASSWORD): Promise<ShownPage> {
  const page = await visitor.submit(await visitor.open("/sign-in"), "/sign-in", { username, password });
  if (page.status !== 200) throw new Error(`the sign-in failed: ${page.status}\n${visibleText(page.html)}`);
  return page;
}

/** Signs in without hashing a password, for tests with many sessions. Also accepts a former username. */
export function signedInAs(site: Site, username: string): Visitor {
  const { core } = site;
  const builderId = findBuilder(core, username)?.id ?? "";
  const { secret } = core.db.transact(() =>
    openSession(core, builderId, { address: "203.0.113.9", agent: "Firefox" }),
  );
  return visit(site, [[sessionCookie(site), secret]]);
}

export function sessionCookie({ core }: Site): string {
  return core.origin.startsWith("https:") ? "__Host-guildhall" : "guildhall";
}

export function tokenOf(page: ShownPage): string {
  for (const { fields } of page.forms) {
    const found = fields.find(([name]) => name === "form_token");
    if (found) return found[1];
  }
  throw new Error(`no such form at ${page.address}`);
}

/** Returns the text of a page without markup, with collapsed white space. */
export function visibleText(html: string): string {
  const read = html
    .replace(/<(head|style|script)\b[\s\S]*?<\/\1>/g, " ")
    // Hidden elements that a script fills.
    .replaceAll(
      /<span class="count"[^>]*\shidden(?:="[^"]*")?>.*?<\/span><span[^>]*>.*?<\/span><\/span>/g,
      " ",
    );
  return unescape(read.replaceAll(/<[^>]*>/g, " "))
    .replaceAll(/\s+/g, " ")
    .trim();
}

export function unescape(html: string): string {
  const names: Record<string, string> = {
    lt: "<",
    gt: ">",
    quot: '"',
    amp: "&",
    "#39": "'",
    "#34": '"',
    "#x27": "'",
  };
  return html.replaceAll(/&([#\w]+);/g, (entity, name: string) => names[name] ?? entity);
}

export async function attributesOf(html: string, selector: string, name: string): Promise<string[]> {
  const values: string[] = [];
  await new HTMLRewriter()
    .on(selector, { element: (element) => void values.push(unescape(element.getAttribute(name) ?? "")) })
    .transform(new Response(html))
    .text();
  return values;
}

/** Tables that change when a visitor reads the feed. */
const TABLES_CHANGED_BY_READING: ReadonlySet<string> = new Set(["feed_visits", "lineage"]);

/** Returns the database content as text, without the tables that change on reading. */
export function contentsOf({ core: { db } }: Site): string {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all() as {
    name: string;
  }[];
  return JSON.stringify(
    tables
      .filter(
        ({ name }) =>
          !name.startsWith("sqlite_") &&
          !TABLES_CHANGED_BY_READING.has(name) &&
          !/_(?:data|idx|content|docsize|config)$/.test(name),
      )
      .map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]),
  );
}

export async function formsOf(html: string): Promise<FoundForm[]> {
  const forms: FoundForm[] = [];
  const add = (name: string | null, value: string): void => {
    if (name) forms.at(-1)?.fields.push([name, value]);
  };
  let select: { name: string; value: string | undefined } | undefined;
  let area = false;
  await new HTMLRewriter()
    .on("form", {
      element(form) {
        forms.push({
          action: unescape(form.getAttribute("action") ?? ""),
          method: form.getAttribute("method") ?? "get",
          label: form.getAttribute("aria-label"),
          fields: [],
        });
      },
    })
    .on("form input", {
      element(input) {
        const type = input.getAttribute("type");
        if ((type === "checkbox" || type === "radio") && !input.hasAttribute("checked")) return;
        add(input.getAttribute("name"), unescape(input.getAttribute("value") ?? ""));
      },
    })
    .on("form select", {
      element(element) {
        const found = { name: element.getAttribute("name") ?? "", value: undefined };
        select = found;
        element.onEndTag(() => add(found.name, select?.value ?? ""));
      },
    })
    .on("form select option", {
      element(option) {
        if (select && (select.value === undefined || option.hasAttribute("selected")))
          select.value = unescape(option.getAttribute("value") ?? "");
      },
    })
    .on("form textarea", {
      element(element) {
        add(element.getAttribute("name"), "");
        area = true;
        element.onEndTag(() => void (area = false));
      },
      text({ text }) {
        const last = forms.at(-1)?.fields.at(-1);
        if (area && last) last[1] += unescape(text);
      },
    })
    .transform(new Response(html))
    .text();
  return forms;
}

function encode(fields: Fields): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of typeof value === "string" ? [value] : value) sent.append(name, item);
  }
  return sent.toString();
}

function fieldsOf(sent: URLSearchParams): Fields {
  return Object.fromEntries([...new Set(sent.keys())].map((name) => [name, sent.getAll(name)]));
}

function plain(headers: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(new Headers(headers ?? {}));
}

/** Sends the form of a page to `action` as a browser does with a file. */
export async function sendForm(
  { url, core }: Site,
  visitor: Visitor,
  page: ShownPage,
  action: string,
  typed: Record<string, string>,
  file: Uint8Array = Buffer.alloc(0),
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = page.forms.find((each) => each.action === action);
  const body = new FormData();
  // `set` replaces a value at its position, so the fields and the file keep the page order.
  for (const [name, value] of form?.fields ?? []) {
    if (name === "picture") body.append(name, value);
    else body.set(name, typed[name] ?? value);
  }
  for (const [name, value] of Object.entries(typed)) body.set(name, value);
  body.set("file", new File([new Uint8Array(file)], file.length === 0 ? "" : "a.png"));
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(url + action, {
    method: "POST",
    redirect: "manual",
    headers: {
      accept: "text/html",
      cookie,
      origin: core.origin,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": visitor.address,
      ...headers,
    },
    body,
  });
}
