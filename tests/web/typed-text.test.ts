// docs/contract.md#9.7: a form that fails keeps the text that was typed, whatever refused it.
import { expect, test } from "bun:test";
import { beginMaintenance, endMaintenance } from "../../src/core/across/maintenance/maintenance.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { DAY } from "../../src/core/ground/clock.ts";
import { LANGUAGES } from "../../src/core/ground/tongues.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { furnish, isOfCrew } from "./furnished.ts";
import {
  openSite,
  PASSWORD,
  seated,
  type Shown,
  type Site,
  tokenOf,
  unescape,
  type Visitor,
} from "./support.ts";

/** What a member types into each field: long enough to be missed, and different for each. */
const typedInto = (name: string): string => `Words for ${name}: a harbour, two tides & one "loom"`;

interface TextForm {
  action: string;
  names: string[];
}

/** The forms of a page that hold a text to type, each once. */
async function textForms({ html }: Shown): Promise<TextForm[]> {
  const forms: TextForm[] = [];
  const add = (name: string | null): void => {
    if (name !== null) forms.at(-1)?.names.push(name);
  };
  await new HTMLRewriter()
    .on("form[method=post]", {
      element: (form) => void forms.push({ action: unescape(form.getAttribute("action") ?? ""), names: [] }),
    })
    .on("form[method=post] textarea", { element: (area) => add(area.getAttribute("name")) })
    .on("form[method=post] input[type=text]", { element: (input) => add(input.getAttribute("name")) })
    .transform(new Response(html))
    .text();
  return forms.filter(({ names }) => names.length > 0);
}

/** Every form with a text to type that a member can open. */
async function formsOf(visitor: Visitor, pathOf: (route: { path: string }) => string): Promise<TextForm[]> {
  const found = new Map<string, TextForm>();
  for (const route of PAGES.filter((page) => page.method === "GET" && !isOfCrew(page))) {
    const page = await visitor.open(pathOf(route));
    for (const form of await textForms(page)) found.set(`${form.action} ${form.names.join()}`, form);
  }
  return [...found.values()];
}

const fieldsOf = ({ names }: TextForm): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, typedInto(name)]));

/** The texts that an answer does not hold any more. */
function missing({ names }: TextForm, { html }: Shown): string[] {
  // A list of addresses comes back with one a line.
  const shown = unescape(html).replaceAll(/\s+/g, " ");
  return names.filter((name) => name !== "username" && !shown.includes(typedInto(name)));
}

interface Situation {
  title: string;
  statuses: readonly number[];
  begin(site: Site): void;
  end?(site: Site): void;
  token?: string;
}

const SITUATIONS: readonly Situation[] = [
  {
    title: "maintenance",
    statuses: [503],
    begin: ({ core }) => beginMaintenance(core, OPERATOR, {}),
    end: ({ core }) => endMaintenance(core, OPERATOR),
  },
  {
    title: "a database that fails",
    // A form that breaks a rule of its own is refused before anything is written.
    statuses: [400, 403, 404, 409, 422, 500],
    begin: ({ core }) => void core.db.prepare("PRAGMA query_only = 1").run(),
    end: ({ core }) => void core.db.prepare("PRAGMA query_only = 0").run(),
  },
  { title: "a form token of before", statuses: [403], begin: () => {}, token: "stale" },
];

test("keeps the text of every form, whatever refuses it", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await furnish(site);
  const forms = await formsOf(ada, pathOf);
  expect(forms.length).toBeGreaterThan(15);
  const lost: string[] = [];
  for (const { title, statuses, begin, end, token } of SITUATIONS) {
    const form_token = token ?? tokenOf(await ada.open("/"));
    begin(site);
    for (const form of forms) {
      const answer = await ada.post(form.action, { ...fieldsOf(form), form_token });
      const names = missing(form, answer);
      if (names.length > 0 || !statuses.includes(answer.status))
        lost.push(`${title}, ${form.action}: ${answer.status}, without ${names.join()}`);
    }
    end?.(site);
  }
  expect(lost).toEqual([]);
});

test("keeps the text of a form that wants a recent sign-in first", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await furnish(site);
  const forms = await formsOf(ada, pathOf);
  site.clock.pass(DAY);
  const form_token = tokenOf(await ada.open("/"));
  let asked = 0;
  for (const form of forms) {
    const answer = await ada.post(form.action, { ...fieldsOf(form), form_token });
    if (!answer.forms.some(({ action }) => action.startsWith("/settings/confirm"))) continue;
    asked++;
    expect([form.action, missing(form, answer)]).toEqual([form.action, []]);
  }
  expect(asked).toBeGreaterThan(1);
});

test("keeps the text of a form whose session has ended, and shows no secret", async () => {
  await using site = openSite({ signup: "open" });
  await furnish(site);
  const ada = seated(site, "ada");
  const form_token = tokenOf(await ada.open("/"));
  ada.cookies.clear();

  const answer = await ada.post("/posts", {
    text: typedInto("text"),
    password: "a secret of three words",
    form_token,
  });

  expect(unescape(answer.html)).toContain(typedInto("text"));
  expect(answer.html).not.toContain("a secret of three words");
});

test("keeps the text of a request beyond the rate limit", async () => {
  await using site = openSite({ signup: "open" });
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(site.url + path, {
      ...init,
      redirect: "manual",
      headers: { accept: "text/html", origin: site.core.origin },
    });
  let page = await send("/sign-up");
  for (let i = 0; page.status !== 429 && i < 1000; i++) page = await send("/sign-up");
  const body = new URLSearchParams({ why: typedInto("why"), password: "a secret of three words" });

  const answer = await send("/sign-up", { method: "POST", body });

  expect(answer.status).toBe(429);
  const html = unescape(await answer.text());
  expect(html).toContain(typedInto("why"));
  expect(html).not.toContain("a secret of three words");
});

test("keeps the text that came with a picture which is refused", async () => {
  await using site = openSite({ signup: "open" });
  await furnish(site);
  const ada = seated(site, "ada");
  const form = new FormData();
  form.set("form_token", tokenOf(await ada.open("/")));
  form.set("text", typedInto("text"));
  form.set("file", new Blob([new Uint8Array(64)]), "one.png");
  form.append("file", new Blob([new Uint8Array(64)]), "two.png");

  const answer = await ada.open("/posts", {
    method: "POST",
    body: form,
    headers: { origin: site.core.origin, "sec-fetch-site": "same-origin" },
  });

  expect(answer.status).toBe(400);
  expect(unescape(answer.html)).toContain(typedInto("text"));
});

test("shows nothing of a form that another site sent", async () => {
  await using site = openSite({ signup: "open" });
  await furnish(site);
  const ada = seated(site, "ada");
  const form_token = tokenOf(await ada.open("/"));

  const answer = await ada.post(
    "/posts",
    { text: typedInto("text"), form_token },
    { origin: "https://evil.example" },
  );

  expect(answer.status).toBe(403);
  expect(unescape(answer.html)).not.toContain(typedInto("text"));
});

test("tells a newcomer of a limit in every language, and keeps the text", async () => {
  await using site = openSite({ signup: "open" });
  // December: see tests/web/every-refusal.test.ts.
  site.clock.pass(15 * DAY);
  await signUp(site.core, { address: "203.0.113.7", agent: "" }, { username: "nia", password: PASSWORD });
  const links = Array.from({ length: 9 }, (_, at) => `https://place${at}.example/`).join(" ");
  for (const language of LANGUAGES) {
    const nia = seated(site, "nia");
    const form_token = tokenOf(await nia.open("/"));

    const answer = await nia.post(
      "/posts",
      { text: `See ${links}`, form_token },
      { "accept-language": language },
    );

    expect([language, answer.status]).toEqual([language, 403]);
    expect(answer.headers.get("content-language")).toBe(language);
    expect(unescape(answer.html)).toContain(`See ${links}`);
  }
});
