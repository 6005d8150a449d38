import { expect, test } from "bun:test";
import { PAGES } from "../../src/web/pages/index.ts";
import type { PageRoute } from "../../src/web/request/route.ts";
import { isDrill } from "../drill.ts";
import { addSampleContent, isStaffPage, prepareSite } from "./sample-site.ts";
import {
  contentsOf,
  type Fields,
  openSite,
  signedInAs,
  sessionCookie,
  type Site,
  tokenOf,
  type Visitor,
  visit,
  visibleText,
} from "./support.ts";

// Forms sent by mailboxes are authenticated by the token in their URL: tests/delivery/channels.slow.test.ts.
const FORMS = PAGES.filter(({ method, acceptsForeignPosts }) => method === "POST" && !acceptsForeignPosts);

interface Forgery {
  title: string;
  status: number;
  headers?: Record<string, string | null>;
  fields?: Fields;
  token?(own: string, site: Site): string | undefined | Promise<string | undefined>;
}

/** Ways to send a form that no page of this site uses. */
const FORGERIES: readonly Forgery[] = [
  { title: "a foreign origin", status: 403, headers: { origin: "https://evil.example" } },
  {
    title: "an origin that only starts like ours",
    status: 403,
    headers: { origin: "http://localhost.evil.example" },
  },
  { title: "our host on another port", status: 403, headers: { origin: "http://localhost:1" } },
  { title: "the origin of a sandboxed frame", status: 403, headers: { origin: "null" } },
  { title: "no origin", status: 403, headers: { origin: null } },
  {
    title: "no origin and a referer of our site",
    status: 403,
    headers: { origin: null, referer: "http://localhost/" },
  },
  { title: "a cross-site request", status: 403, headers: { "sec-fetch-site": "cross-site" } },
  { title: "a same-site request from another host", status: 403, headers: { "sec-fetch-site": "same-site" } },
  { title: "no token", status: 403, token: () => undefined },
  { title: "an empty token", status: 403, token: () => "" },
  { title: "a truncated token", status: 403, token: (own) => own.slice(0, -1) },
  { title: "the token from before the sign-in", status: 403, token: (_own, site) => visitorsToken(site) },
  {
    title: "the token of another member",
    status: 403,
    token: (_own, site) => tokenOfSession(signedInAs(site, "bob")),
  },
  {
    title: "the token of another session of the member",
    status: 403,
    token: (_own, site) => tokenOfSession(signedInAs(site, "ada")),
  },
  { title: "a single field sent twice", status: 400, fields: { name: ["Something", "Something else"] } },
  { title: "plain text", status: 400, headers: { "content-type": "text/plain" } },
  { title: "no content type", status: 400, headers: { "content-type": "" } },
  { title: "multipart", status: 400, headers: { "content-type": "multipart/form-data; boundary=x" } },
  { title: "JSON", status: 400, headers: { "content-type": "application/json" } },
  { title: "a compressed body", status: 400, headers: { "content-encoding": "gzip" } },
];

async function visitorsToken(site: Site): Promise<string> {
  return tokenOf(await visit(site).open("/sign-in"));
}

async function tokenOfSession(visitor: Visitor): Promise<string> {
  return tokenOf(await visitor.open("/"));
}

const prepared = prepareSite();

/** In the suite each form is tested with every third forgery. A drill tests all combinations. */
const meets = (forgery: number, form: number): boolean => isDrill || form % 3 === forgery % 3;

for (const [forgery, { title, status, headers = {}, fields: typed = {}, token }] of FORGERIES.entries()) {
  test(`with ${title} every form is refused, and nothing changes`, async () => {
    const { from, pathOf } = await prepared;
    await using site = openSite({ signup: "open", from });
    const [ada, root, guest] = [signedInAs(site, "ada"), signedInAs(site, "root"), visit(site)];
    const forged = new Map<Visitor, string | undefined>();
    for (const visitor of [ada, root, guest]) {
      const own = tokenOf(await visitor.open(visitor === guest ? "/sign-in" : "/"));
      forged.set(visitor, token ? await token(own, site) : own);
    }
    const before = contentsOf(site);
    for (const [form, route] of FORMS.entries()) {
      if (!meets(forgery, form)) continue;
      const visitor = isStaffPage(route) ? root : route.access === "signed-in" ? ada : guest;
      const sent = forged.get(visitor);
      const fields = { ...PLAUSIBLE, ...typed, ...(sent === undefined ? {} : { form_token: sent }) };
      const page = await visitor.post(pathOf(route), fields, headers);
      expect(`${route.path} ${page.status}`).toBe(`${route.path} ${status}`);
      expect(page.headers.getSetCookie().filter((line) => !line.includes("visitor="))).toEqual([]);
    }
    expect(contentsOf(site) === before).toBe(true);
  });
}

/** Valid values for most forms, so that only the forgery causes a refusal. */
const PLAUSIBLE = {
  username: "newcomer",
  password: "correct horse battery",
  current: "",
  name: "Something",
  text: "Hello",
  url: "https://hooks.example.com/other",
  events: "post.created",
  scopes: "feed:read",
  days: "7",
  role: "owner",
  since: "30d",
};

test("every form is accepted when a page of this site sends it", async () => {
  const refused: string[] = [];
  await using site = openSite({ signup: "open" });
  const { pathOf } = await addSampleContent(site);
  for (const route of FORMS) {
    const visitor = personFor(site, route);
    const token = tokenOf(await visitor.open(visitor.cookies.size === 0 ? "/sign-in" : "/"));
    const page = await visitor.post(pathOf(route), { ...PLAUSIBLE, form_token: token });
    if (
      /This form (?:was sent from another site|has expired|could not be read)/.test(visibleText(page.html)) ||
      page.status >= 500
    )
      refused.push(`${route.path} ${page.status}`);
  }
  expect(refused).toEqual([]);
});

function personFor(site: Site, route: PageRoute): Visitor {
  return isStaffPage(route)
    ? signedInAs(site, "root")
    : route.access === "signed-in"
      ? signedInAs(site, "ada")
      : visit(site);
}

test("a form is accepted over another host name of the server, but not over plain http under the public name", async () => {
  const cases = [
    ["https://guild.example", "guild.example", "https://guild.example", 303],
    ["https://guild.example", "guild.example", "http://guild.example", 403],
    ["https://guild.example", "guild.example:443", "https://guild.example", 303],
    ["http://192.168.1.5:8787", "192.168.1.5:8787", "http://192.168.1.5:8787", 303],
    ["http://192.168.1.5:8787", "attic.lan:8787", "http://attic.lan:8787", 303],
    ["http://192.168.1.5:8787", "attic.lan:8787", "http://evil.example", 403],
  ] as const;
  const { from } = await prepared;
  for (const [origin, host, sent, status] of cases) {
    await using site = openSite({ origin, from });
    const ada = signedInAs(site, "ada");
    const form_token = tokenOf(await ada.open("/", { headers: { host } }));
    const page = await ada.post("/posts", { text: "Hello", form_token }, { origin: sent, host });
    expect(`${origin} ${sent} ${page.status}`).toBe(`${origin} ${sent} ${status}`);
  }
});

test("a form sent without a session asks to sign in and discards its contents", async () => {
  await using site = openSite();
  const { pathOf } = await addSampleContent(site);
  const guest = visit(site);
  const form_token = tokenOf(await guest.open("/sign-in"));
  const before = contentsOf(site);
  for (const route of FORMS.filter(({ access }) => access !== "anyone" && access !== "reader")) {
    const page = await guest.post(pathOf(route), { ...PLAUSIBLE, form_token });
    expect(`${route.path} ${page.status} ${page.forms[0]?.action}`).toBe(`${route.path} 200 /sign-in`);
  }
  expect(contentsOf(site) === before).toBe(true);
});

test("a form of an ended session is refused with advice, and the member can sign in again", async () => {
  await using site = openSite();
  await addSampleContent(site);
  const ada = signedInAs(site, "ada");
  const form_token = tokenOf(await ada.open("/"));
  site.core.db.transact(() => site.core.db.prepare("DELETE FROM sessions").run());
  const page = await ada.post("/posts", { text: "Hello", form_token });
  expect(page.status).toBe(403);
  expect(visibleText(page.html)).toContain("Reload the page");
  expect(ada.cookies.get(sessionCookie(site))).toBeDefined();
  expect((await ada.open("/settings/account")).forms[0]?.action).toBe("/sign-in");
});

test("a form that is too long or not valid UTF-8 or URL encoding is refused with 400", async () => {
  await using site = openSite();
  const { ada } = await addSampleContent(site);
  const form_token = tokenOf(await ada.open("/"));
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    origin: site.core.origin,
  };
  for (const body of ["text=%ff", `text=${"a".repeat(300_000)}`, "text=%zz"]) {
    const page = await ada.open("/posts", {
      method: "POST",
      headers,
      body: `${body}&form_token=${form_token}`,
    });
    expect(page.status).toBe(400);
  }
});
