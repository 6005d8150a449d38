import { expect, test } from "bun:test";
import { FILTERS_MAX } from "../../src/core/community/jobs/job-filters.ts";
import { attributesOf, type ShownPage, visibleText } from "./support.ts";
import {
  postWithoutForm,
  JOB,
  openSiteWithMembers,
  pathOf,
  PROMPT,
  publishPost,
} from "./site-with-members.ts";

test("a job is published, found, edited, closed and reopened, only by its publisher", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob, guest } = fixture;
  const page = await ada.submit(await ada.open("/jobs/new"), "/jobs", JOB);
  expect(visibleText(page.html)).toContain("Job published. It stays on the jobs board for 60 days.");
  const job = pathOf(page);
  expect(await attributesOf((await guest.open(job)).html, "a.primary", "href")).toEqual([
    JOB.apply_url,
    JOB.apply_url,
  ]);
  expect(visibleText((await guest.open("/jobs?city=sao-paulo&stack=sqlite")).html)).toContain(
    "Storage Engineer",
  );

  for (const path of [`${job}/close`, `${job}/edit`])
    expect(`${path} ${(await postWithoutForm(bob, path, JOB)).status}`).toBe(`${path} 403`);
  const edit = await ada.open(`${job}/edit`);
  // The form contains the published values, so saving it unchanged changes nothing.
  const kept = site.core.db.prepare("SELECT * FROM jobs").all();
  await ada.submit(edit, `${job}/edit`);
  expect(site.core.db.prepare("SELECT * FROM jobs").all()).toEqual(kept);
  await ada.submit(edit, `${job}/edit`, { title: "Principal Storage Engineer", city: "" });
  expect(visibleText((await guest.open("/jobs")).html)).toContain("Principal Storage Engineer");
  expect(visibleText((await guest.open("/jobs?city=sao-paulo")).html)).toContain("No jobs found");

  const closed = await ada.submit(await ada.open(job), `${job}/close`);
  expect(visibleText(closed.html)).toContain("Job closed.");
  expect((await guest.open(job)).status).toBe(404);
  expect(visibleText((await ada.open("/jobs/mine")).html)).toContain("Closed");
  await ada.submit(closed, `${job}/open`);
  expect((await guest.open(job)).status).toBe(200);
});

test("a job may have an email address to apply at, typed as people do, and links to it", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const typed = { ...JOB, apply_url: "jobs@tidewater.example" };
  const job = pathOf(await ada.submit(await ada.open("/jobs/new"), "/jobs", typed));
  const { html } = await guest.open(job);
  expect(new Set(await attributesOf(html, "a.primary", "href"))).toEqual(
    new Set(["mailto:jobs@tidewater.example"]),
  );
  expect(/<div class="whole on-paper">.*?<\/div>/s.exec(html)?.[0]).toContain(
    "<dd>jobs@tidewater.example</dd>",
  );
  const edit = await ada.open(`${job}/edit`);
  expect(await attributesOf(edit.html, "input[name=apply_url]", "value")).toEqual(["jobs@tidewater.example"]);
  expect((await ada.submit(edit, `${job}/edit`)).status).toBe(200);
  const wrong = await ada.submit(edit, `${job}/edit`, { apply_url: "jobs@" });
  expect(await attributesOf(wrong.html, "input[name=apply_url]", "value")).toEqual(["jobs@"]);
  expect(visibleText(wrong.html)).toContain("Enter a link that begins with https://, or an email address.");
});

test("an incomplete job comes back with the typed values, and each wrong field has a message", async () => {
  await using site = await openSiteWithMembers();
  const { ada } = site;
  const form = await ada.open("/jobs/new");
  const cases: [Partial<typeof JOB>, string][] = [
    [{ "salary.min": "" }, "salary.min"],
    [{ "salary.currency": "euros" }, "salary.currency"],
    [{ stack: "🎉" }, "stack"],
    [{ apply_url: "http://tidewater.example.com" }, "apply_url"],
    [{ "company.name": "" }, "company.name"],
    [{ title: " " }, "title"],
    [{ city: "!?" }, "city"],
  ];
  for (const [wrong, name] of cases) {
    const page = await ada.submit(form, "/jobs", { ...JOB, ...wrong });
    expect(`${name} ${page.status}`).toBe(`${name} 400`);
    expect(await attributesOf(page.html, "[aria-invalid]", "name")).toContain(name);
    expect(
      Object.fromEntries(page.forms.find(({ action }) => action === "/jobs")?.fields ?? []),
    ).toMatchObject({
      description: JOB.description,
      remote: "true",
      seniority: "senior",
    });
  }
  const swapped = await ada.submit(form, "/jobs", { ...JOB, "salary.max": "1" });
  expect(swapped.status).toBe(422);
  const said =
    /<fieldset class="money">.*?<p class="fault"[^>]*id="salary-error"[^>]*>([^<]*)<\/p>.*?<\/fieldset>/s;
  expect(said.exec(swapped.html)?.[1]).toContain("Swap them");
  expect(swapped.html).not.toContain("fault-box");
  for (const name of ["salary.min", "salary.max"]) {
    const input = `input[name="${name}"]`;
    expect(await attributesOf(swapped.html, input, "aria-describedby")).toEqual(["salary-error"]);
    expect(await attributesOf(swapped.html, input, "aria-invalid")).toEqual(["true"]);
  }
  expect(await attributesOf(swapped.html, "input[name=title]", "aria-invalid")).toEqual([""]);
});

test("a search is saved with one button, matches later jobs, and shows the reason for each match", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob } = site;
  const board = await ada.open(
    "/jobs?q=storage&stack=rust,sqlite&city=sao+paulo&remote=true&seniority=senior",
  );
  const saved = await ada.submit(board, "/jobs/filters");
  expect(visibleText(saved.html)).toContain("Job filter saved.");
  // A filter without a name is listed by its criteria. The page shows the criteria only once.
  const asks = "storage · rust, sqlite · sao-paulo or remote · Senior";
  expect(visibleText(saved.html).split(asks)).toHaveLength(2);
  expect(visibleText((await ada.open("/jobs/matches")).html)).toContain("No matching jobs yet");
  await bob.submit(await bob.open("/jobs/new"), "/jobs", JOB);
  const matches = visibleText((await ada.open("/jobs/matches")).html);
  for (const text of [
    "Storage Engineer",
    "100% match",
    "all keywords in the title",
    "your tech stack",
    "the right location",
    "your seniority",
  ])
    expect(matches).toContain(text);

  const [edit = ""] = await attributesOf(saved.html, ".row-title a", "href");
  const confirmation = await ada.submit(await ada.open(edit), edit, {
    name: "Storage",
    min: "90000",
    currency: "eur",
  });
  expect(visibleText(confirmation.html)).toContain(`${asks} · from 90,000 EUR`);
  const wrong = await ada.submit(await ada.open(edit), edit, { min: "1.5" });
  expect(wrong.status).toBe(400);
  expect(await attributesOf(wrong.html, "[aria-invalid]", "name")).toEqual(["min"]);
  // The link of a saved search runs the search again.
  const [again = ""] = await attributesOf(confirmation.html, ".rows a.small", "href");
  expect(visibleText((await ada.open(again)).html)).toContain("Storage Engineer");
  expect((await postWithoutForm(bob, edit, { name: "Mine" })).status).toBe(404);
  await ada.submit(confirmation, `${edit}/delete`);
  expect(visibleText((await ada.open("/jobs/matches")).html)).toContain("deleted job filter");
});

test("a deleted saved search is restored whole by the undo button, which appears only once", async () => {
  await using site = await openSiteWithMembers();
  const { ada } = site;
  const typed = {
    name: "Storage & more",
    q: "storage",
    stack: ["rust", "sqlite"].join(", "),
    city: "São Paulo",
    remote: "true",
    seniority: ["senior", "staff"],
    min: "90000",
    currency: "eur",
  };
  const saved = await ada.submit(await ada.open("/jobs/filters/new"), "/jobs/filters", typed);
  const rowsOf = ({ html }: ShownPage) => visibleText(/<ul class="rows">.*?<\/ul>/s.exec(html)?.[0] ?? "");
  const row = rowsOf(saved);
  expect(row).toContain("Storage & more");
  const [edit = ""] = await attributesOf(saved.html, ".row-title a", "href");
  const gone = await ada.submit(saved, `${edit}/delete`);
  expect(rowsOf(gone)).toBe("");
  expect(visibleText(gone.html)).toContain(
    "Job filter deleted. The jobs it already found stay under “Matching jobs”. Undo",
  );
  // Opening the URL again does not repeat the message with “Undo”, because anyone could craft that URL.
  expect((await ada.open(gone.address)).html).not.toContain("Undo");
  const back = await ada.submit(gone, "/jobs/filters");
  expect(rowsOf(back)).toBe(row);
});

test("a saved search over the limit is refused with a message, and the typed values are kept", async () => {
  await using site = await openSiteWithMembers();
  const { ada } = site;
  const form = await ada.open("/jobs/filters/new");
  for (let i = 0; i < FILTERS_MAX; i++) await ada.submit(form, "/jobs/filters", { name: `Search ${i}` });
  const page = await ada.submit(form, "/jobs/filters", { name: "One more", stack: "rust" });
  expect(page.status).toBe(409);
  expect(visibleText(page.html)).toContain(`You already have ${FILTERS_MAX} job filters`);
  expect(page.forms.at(-1)?.fields).toContainEqual(["stack", "rust"]);
});

test("a prompt is shared, found by model, category and score, rated, revised and deleted", async () => {
  await using site = await openSiteWithMembers();
  const { ada, bob, guest } = site;
  const shared = await ada.submit(await ada.open("/prompts/new"), "/prompts", PROMPT);
  const prompt = pathOf(shared);
  expect(visibleText(shared.html)).toContain("Prompt shared. It is now in the library.");
  expect(shared.forms.filter(({ action }) => action.endsWith("/rating"))).toEqual([]);
  const own = await postWithoutForm(ada, `${prompt}/rating`, { stars: "5", version: "1" });
  expect(own.status).toBe(403);
  expect(visibleText(own.html)).toContain("You cannot rate your own prompt");

  const read = await bob.open(prompt);
  expect((await bob.submit(read, `${prompt}/rating`)).status).toBe(400);
  expect(visibleText((await bob.submit(read, `${prompt}/rating`, { stars: "2" })).html)).toContain(
    "2.0 ★ (1 rating)",
  );
  const rated = await bob.submit(read, `${prompt}/rating`, { stars: "5" });
  expect(visibleText(rated.html)).toContain("5.0 ★ (1 rating)");
  expect(await attributesOf(rated.html, "[name=stars][checked]", "value")).toEqual(["5"]);
  const found = async (query: string) =>
    visibleText((await guest.open(`/prompts?${query}`)).html).includes(PROMPT.title);
  expect(await found("model=claude-sonnet&category=Code+review&min_score=4.5")).toBe(true);
  expect(await found("model=gpt")).toBe(false);
  expect(await found("q=maintain*&model=claude-sonnet")).toBe(true);
  expect([await found("q=maintain*&model=gpt"), await found("q=gardening")]).toEqual([false, false]);

  const revise = await ada.open(`${prompt}/revise`);
  const noted = await ada.submit(revise, `${prompt}/revise`, {
    body: "Begin with the tests.",
    note: "Tests first.",
  });
  expect(visibleText(noted.html)).toContain("Tests first.");
  expect(await found("min_score=3")).toBe(false);
  // A visitor with an old page open rates the version that they read, or gets a refusal.
  const late = await bob.submit(read, `${prompt}/rating`, { stars: "1" });
  expect(late.status).toBe(409);
  expect(visibleText(late.html)).toContain("now at version 2");
  const versions = visibleText((await guest.open(prompt)).html);
  for (const text of [
    "Not rated yet",
    "Version 2 (current)",
    "Version 1 5.0 ★ (1 rating)",
    "You maintain this. Be kind.",
  ])
    expect(versions).toContain(text);

  expect(
    (await postWithoutForm(bob, `${prompt}/revise`, { body: "x", note: "x", title: "x", model: "x" })).status,
  ).toBe(403);
  expect((await postWithoutForm(bob, `${prompt}/delete`)).status).toBe(403);
  await ada.submit(await ada.open(`${prompt}/delete`), `${prompt}/delete`);
  expect((await guest.open(prompt)).status).toBe(404);
});

test("a profile shows name, bio and projects as other members see them, and the XP rules in words", async () => {
  await using site = await openSiteWithMembers();
  const { ada, guest } = site;
  const here = "/settings/profile";
  const change = {
    name: "Ada Okafor",
    bio: "Compilers by day,\r\n**bread** by night.",
  };
  const saved = await ada.submit(await ada.open(here), here, change);
  expect(visibleText(saved.html)).toContain("Changes saved.");
  for (const [wrong, status] of [
    [{ name: " " }, 400],
    [{ bio: "a".repeat(501) }, 400],
    [{ place: "a".repeat(81) }, 400],
    [{ links: "http://a.example.com" }, 400],
    [{ links: [1, 2, 3, 4, 5].map((n) => `https://a${n}.example.com`).join("\n") }, 400],
  ] as const)
    expect((await ada.submit(saved, here, wrong)).status).toBe(status);

  const project = {
    title: "tinyqueue",
    url: "https://tinyqueue.example.com",
    description: "A queue in **one** file.",
  };
  await ada.submit(await ada.open(`${here}/projects/new`), `${here}/projects`, project);
  const refused = await ada.submit(await ada.open(`${here}/projects/new`), `${here}/projects`, {
    ...project,
    url: "tinyqueue",
  });
  expect(visibleText(refused.html)).toContain(
    "Enter a link that begins with https:// and has at most 2,048 characters.",
  );
  await ada.submit(await ada.open(`${here}/projects/new`), `${here}/projects`, { title: "Second" });
  const settings = await ada.open(here);
  const [, pinned = ""] = /<option value="(prj_[^"]+)"[^>]*>Second/.exec(settings.html) ?? [];
  await ada.submit(settings, here, {
    place: "Enns <b>Austria",
    links: "https://ada.example.com/ https://www.example.org/ada",
    pinned_project: pinned,
  });
  await publishPost(ada, "A loom");
  const seen = await guest.open("/@ada");
  expect(visibleText(seen.html)).toContain("Enns <b>Austria ada.example.com example.org/ada");
  expect(await attributesOf(seen.html, ".whereabouts a", "rel")).toEqual([
    "me nofollow noopener ugc",
    "me nofollow noopener ugc",
  ]);
  expect(visibleText(seen.html)).toContain("Projects Pinned Second tinyqueue");
  for (const text of [
    "Ada Okafor",
    "bread by night.",
    "tinyqueue",
    "A queue in one file.",
    "XP 10",
    "Level 1",
    "90 XP to level 2",
    "1 day",
    "Published a first post",
    "A loom",
  ])
    expect(visibleText(seen.html)).toContain(text);
  expect(await attributesOf(seen.html, "h3 a", "href")).toEqual([project.url]);
  expect(await attributesOf(seen.html, "[role=meter]", "aria-valuenow")).toEqual(["10"]);

  const list = await ada.open(here);
  const one = (await attributesOf(list.html, "#projects .rows a", "href")).at(-1) ?? "";
  await ada.submit(await ada.open(one), one, { title: "tinyqueue 2", url: "", description: "" });
  const renamed = await guest.open("/@ada");
  expect(visibleText(renamed.html)).toContain("tinyqueue 2");
  expect(visibleText(renamed.html)).not.toContain("A queue in");
  expect(await attributesOf(renamed.html, "h3 a", "href")).toEqual([]);
  await ada.submit(list, `${one}/delete`);
  expect(visibleText((await guest.open("/@ada")).html)).not.toContain("tinyqueue");

  const points = visibleText((await ada.open("/settings/xp")).html);
  expect(points).toMatch(/You have 10 XP.*Published a post A loom · .* \+10/);
});
