// docs/contract.md#9.7: a refused form keeps its text, whatever refused it.
import { expect, test } from "bun:test";
import { beginMaintenance, endMaintenance } from "../../src/core/services/maintenance/maintenance.ts";
import { withUploadLimit } from "../../src/core/community/media/picture-storage.ts";
import { signUp } from "../../src/core/identity/accounts/accounts.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { LANGUAGES } from "../../src/core/base/locales.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { PAGES } from "../../src/web/pages/index.ts";
import { addSampleContent } from "./sample-site.ts";
import {
  openSite,
  PASSWORD,
  signedInAs,
  sendForm,
  type ShownPage,
  type Site,
  tokenOf,
  unescape,
  type Visitor,
} from "./support.ts";

/** The text typed into a field. It is long and unique per field. */
const typedInto = (name: string): string => `Words for ${name}: a harbour, two tides & one "loom"`;

interface TextForm {
  action: string;
  enctype: string;
  /** The fields that a browser sends besides the form token, in page order. */
  fields: { name: string; isFile: boolean }[];
}

/** Returns the forms of a page with text fields, each once. */
async function textForms({ html }: ShownPage): Promise<TextForm[]> {
  const forms: TextForm[] = [];
  const add = (field: HTMLRewriterTypes.Element, isFile = false): void => {
    const name = field.getAttribute("name");
    if (name !== null) forms.at(-1)?.fields.push({ name, isFile });
  };
  await new HTMLRewriter()
    .on("form[method=post]", {
      element: (form) =>
        void forms.push({
          action: unescape(form.getAttribute("action") ?? ""),
          enctype: form.getAttribute("enctype") ?? "application/x-www-form-urlencoded",
          fields: [],
        }),
    })
    .on("form[method=post] textarea", { element: (area) => add(area) })
    .on("form[method=post] input[type=text]", { element: (input) => add(input) })
    .on("form[method=post] input[type=file]", { element: (input) => add(input, true) })
    .transform(new Response(html))
    .text();
  return forms.filter((form) => textsOf(form).length > 0);
}

/** Returns every form with a text field that a visitor can open. */
async function formsOf(visitor: Visitor, pathOf: (route: { path: string }) => string): Promise<TextForm[]> {
  const found = new Map<string, TextForm>();
  const routes = PAGES.filter((page) => page.method === "GET");
  for (const page of await Promise.all(routes.map((route) => visitor.open(pathOf(route))))) {
    for (const form of await textForms(page)) found.set(`${form.action} ${textsOf(form).join()}`, form);
  }
  return [...found.values()];
}

function textsOf({ fields }: TextForm): string[] {
  return fields.filter(({ isFile }) => !isFile).map(({ name }) => name);
}

/** Returns the body that a browser sends when every text field is filled in. */
function bodyOf(form: TextForm, form_token: string, file = new File([], "")): URLSearchParams | FormData {
  const body = form.enctype === "multipart/form-data" ? new FormData() : new URLSearchParams();
  body.append("form_token", form_token);
  for (const { name, isFile } of form.fields) {
    if (!isFile) body.append(name, typedInto(name));
    else if (body instanceof FormData) body.append(name, file);
  }
  return body;
}

type Sender = Pick<Visitor, "address" | "cookies">;

/** Sends a form like a browser. Does not advance the clock. */
async function send(
  site: Site,
  { address, cookies }: Sender,
  path: string,
  body?: URLSearchParams | FormData,
): Promise<{ status: number; html: string }> {
  const answer = await fetch(site.url + path, {
    method: body ? "POST" : "GET",
    redirect: "manual",
    headers: {
      accept: "text/html",
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      origin: site.core.origin,
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": address,
    },
    ...(body && { body }),
  });
  return { status: answer.status, html: await answer.text() };
}

/** Returns the texts that the response no longer contains. */
function missing(form: TextForm, { html }: Pick<ShownPage, "html">): string[] {
  // The form returns a list with one item per line, so white space is ignored.
  const text = unescape(html).replaceAll(/\s+/g, " ");
  return textsOf(form).filter((name) => name !== "username" && !text.includes(typedInto(name)));
}

interface Situation {
  title: string;
  statuses: readonly number[];
  begin?(site: Site, sender: Sender): unknown;
  end?(site: Site): void;
  token?: string;
  isSignedOut?: true;
  /** False if the situation does not affect admins, as in maintenance mode. */
  isForAdmins?: false;
}

const SITUATIONS: readonly Situation[] = [
  {
    title: "maintenance",
    statuses: [503],
    begin: ({ core }) => beginMaintenance(core, OPERATOR, {}),
    end: ({ core }) => endMaintenance(core, OPERATOR),
    isForAdmins: false,
  },
  {
    title: "a database that fails",
    // An invalid form is refused before any write.
    statuses: [400, 403, 404, 409, 422, 500],
    begin: ({ core }) => void core.db.prepare("PRAGMA query_only = 1").run(),
    end: ({ core }) => void core.db.prepare("PRAGMA query_only = 0").run(),
  },
  { title: "a form token of before", statuses: [403], token: "stale" },
  // If a form has a file, the server checks the session before the form token.
  { title: "a session that has ended", statuses: [200, 403], isSignedOut: true },
  {
    title: "the rate limit",
    statuses: [429],
    // A guest reaches the limit sooner than a member. The response is the same, because a limited request
    // does not look up the caller.
    isSignedOut: true,
    async begin(site, sender) {
      const many = Array.from({ length: 50 });
      for (let i = 0; i < 20; i++) {
        const answers = await Promise.all(many.map(() => send(site, sender, "/nothing")));
        if (answers.some(({ status }) => status === 429)) return;
      }
    },
  },
];

test("keeps the text of every form after any refusal", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const lost: string[] = [];
  const root = signedInAs(site, "root");
  for (const visitor of [ada, root]) {
    const forms = await formsOf(visitor, pathOf);
    expect(forms.length).toBeGreaterThan(15);
    expect(forms.filter(({ enctype }) => enctype === "multipart/form-data").length).toBeGreaterThan(1);
    for (const { title, statuses, begin, end, token, isSignedOut, isForAdmins } of SITUATIONS) {
      if (visitor === root && isForAdmins === false) continue;
      const form_token = token ?? tokenOf(await visitor.open("/"));
      const sender = isSignedOut ? { ...visitor, cookies: new Map<string, string>() } : visitor;
      await begin?.(site, sender);
      const tryOne = async (form: TextForm): Promise<void> => {
        const answer = await send(site, sender, form.action, bodyOf(form, form_token));
        const names = missing(form, answer);
        if (names.length > 0 || !statuses.includes(answer.status))
          lost.push(`${title}, ${form.action}: ${answer.status}, without ${names.join()}`);
      };
      // Uploads per member are limited, so these forms are sent one at a time.
      const [withFile = [], without = []] = [true, false].map((is) =>
        forms.filter(({ fields }) => fields.some(({ isFile }) => isFile) === is),
      );
      await Promise.all(without.map(tryOne));
      for (const form of withFile) await tryOne(form);
      end?.(site);
    }
  }
  expect(lost).toEqual([]);
});

test("keeps every text of a form whose picture is too large", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const forms = (await formsOf(ada, pathOf)).filter(({ fields }) => fields.some(({ isFile }) => isFile));
  const picture = new File([new Uint8Array(17 * 1024 * 1024)], "harbour.png", { type: "image/png" });
  const form_token = tokenOf(await ada.open("/"));
  expect(forms.length).toBeGreaterThan(1);
  for (const form of forms) {
    const answer = await send(site, ada, form.action, bodyOf(form, form_token, picture));

    expect([form.action, answer.status, missing(form, answer)]).toEqual([form.action, 400, []]);
  }
});

test("keeps every text of a form with a picture that is refused before it is read", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const forms = (await formsOf(ada, pathOf)).filter(({ fields }) => fields.some(({ isFile }) => isFile));
  const picture = new File([new Uint8Array(4 * 1024 * 1024)], "harbour.png", { type: "image/png" });
  const form_token = tokenOf(await ada.open("/"));
  beginMaintenance(site.core, OPERATOR, {});
  for (const form of forms) {
    const answer = await send(site, ada, form.action, bodyOf(form, form_token, picture));

    expect([form.action, answer.status, missing(form, answer)]).toEqual([form.action, 503, []]);
  }
});

test("keeps the text of a form with a picture while the upload limit is reached", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, caller, pathOf } = await addSampleContent(site);
  const form = (await formsOf(ada, pathOf)).find(({ action }) => action === "/posts");
  if (!form) throw new Error("no such form");
  const form_token = tokenOf(await ada.open("/"));
  const ended = Promise.withResolvers<void>();
  let isFull = false;
  while (!isFull) {
    void withUploadLimit(site.core, caller.builderId, () => ended.promise).catch(() => (isFull = true));
    await Bun.sleep(0);
  }

  const answer = await send(site, ada, form.action, bodyOf(form, form_token));
  ended.resolve();

  expect([answer.status, missing(form, answer)]).toEqual([429, []]);
});

test("keeps the text of a form that requires a recent sign-in first", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const forms = await formsOf(ada, pathOf);
  site.clock.pass(DAY);
  const form_token = tokenOf(await ada.open("/"));
  let requestCount = 0;
  for (const form of forms) {
    site.clock.pass(1000);
    const answer = await send(site, ada, form.action, bodyOf(form, form_token));
    if (!answer.html.includes('action="/settings/confirm')) continue;
    requestCount++;
    expect([form.action, missing(form, answer)]).toEqual([form.action, []]);
  }
  expect(requestCount).toBeGreaterThan(1);
});

test("keeps the text of a form whose session has ended, and shows no secret", async () => {
  await using site = openSite({ signup: "open" });
  await addSampleContent(site);
  const ada = signedInAs(site, "ada");
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

test("keeps the text of a form whose picture is refused", async () => {
  await using site = openSite({ signup: "open" });
  await addSampleContent(site);
  const ada = signedInAs(site, "ada");
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

test("does not show the prefilled hidden fields of a refused form", async () => {
  await using site = openSite({ signup: "open" });
  const { ada, pathOf } = await addSampleContent(site);
  const edit = pathOf({ path: "/posts/:id/edit" });
  const page = await ada.open(edit);
  const revision =
    page.forms.flatMap(({ fields }) => fields).find(([name]) => name === "revision")?.[1] ?? "";
  const drop = "med_01m7xn0yrse00adkgqhwmvrnk1";
  beginMaintenance(site.core, OPERATOR, {});

  const html = unescape(
    await (await sendForm(site, ada, page, edit, { text: typedInto("text"), drop })).text(),
  );

  expect(html).toContain(typedInto("text"));
  expect(revision).not.toBe("");
  for (const hidden of [revision, drop, tokenOf(page)]) expect(html).not.toContain(hidden);
});

test("shows nothing of a form that another site sent", async () => {
  await using site = openSite({ signup: "open" });
  await addSampleContent(site);
  const ada = signedInAs(site, "ada");
  const page = await ada.open("/");
  const origin = "https://evil.example";
  const typed = { text: typedInto("text"), form_token: tokenOf(page) };
  const guest = { ...ada, cookies: new Map<string, string>() };

  const answers = [
    await ada.post("/posts", typed, { origin }),
    await sendForm(site, ada, page, "/posts", typed, undefined, { origin }),
    await sendForm(site, guest, page, "/posts", typed, undefined, { origin }),
  ];
  beginMaintenance(site.core, OPERATOR, {});
  answers.push(await sendForm(site, ada, page, "/posts", typed, undefined, { origin }));

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 503]);
  for (const answer of answers) {
    const html = answer instanceof Response ? await answer.text() : answer.html;
    expect(unescape(html)).not.toContain(typedInto("text"));
  }
});

test("names a newcomer's limit in every language, and keeps the text", async () => {
  await using site = openSite({ signup: "open" });
  // December, for the reason given in tests/web/every-refusal.test.ts.
  site.clock.pass(15 * DAY);
  await signUp(site.core, { address: "203.0.113.7", agent: "" }, { username: "nia", password: PASSWORD });
  const links = Array.from({ length: 9 }, (_, at) => `https://place${at}.example/`).join(" ");
  for (const language of LANGUAGES) {
    const nia = signedInAs(site, "nia");
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
