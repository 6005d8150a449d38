// Tests the menu “Moderate” on content and profiles.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { changeRole, createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { addSampleContent, callerOf, type SampleContent } from "./sample-site.ts";
import { openSite, type ShownPage, signedInAs, type Site, visit } from "./support.ts";

/** The paths and labels of each menu of a page. */
function menusOf({ html }: ShownPage): string[][] {
  return [...html.matchAll(/<details class="moderate">[\s\S]*?<\/details>/g)].map(([menu]) =>
    [...menu.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href.replaceAll("&#38;", "&")),
  );
}

async function openSample(): Promise<Site & SampleContent> {
  const site = openSite({ signup: "open" });
  const sample = await addSampleContent(site);
  createBuilder(site.core, OPERATOR, { username: "mod", name: "Mod", role: "moderator" });
  return Object.assign(site, sample);
}

const pathOf = (site: SampleContent, path: string) => site.pathOf({ path });

test("only staff gets the menu, on each post, job, prompt and profile", async () => {
  await using site = await openSample();
  const paths = ["/", "/posts/:id", "/jobs/:id", "/prompts/:id", "/@:username"].map((path) =>
    pathOf(site, path),
  );

  const counts = async (visitor: ReturnType<typeof visit>) =>
    Promise.all(paths.map(async (path) => menusOf(await visitor.open(path)).length));

  expect(await counts(visit(site))).toEqual([0, 0, 0, 0, 0]);
  expect(await counts(signedInAs(site, "bob"))).toEqual([0, 0, 0, 0, 0]);
  for (const count of await counts(signedInAs(site, "mod"))) expect(count).toBeGreaterThan(0);
});

test("each link of the menu opens the case with an act, or the removal", async () => {
  await using site = await openSample();
  const path = pathOf(site, "/posts/:id");
  const id = path.split("/").at(-1) ?? "";
  const [menu = []] = menusOf(await signedInAs(site, "mod").open(path));

  expect(menu).toEqual([
    `/admin/cases/${id}`,
    ...["hide", "lock", "warn", "limit", "suspend"].map((act) => `/admin/cases/${id}?act=${act}`),
    "/admin/spam?username=ada",
  ]);
});

test("a reply has no lock, and a profile no hiding", async () => {
  await using site = await openSample();
  const { id } = replyTo(site.core, callerOf(site, signedInAs(site, "bob")), postId(site), {
    text: "A reply",
  });
  const mod = signedInAs(site, "mod");
  const reply = menusOf(await mod.open(`/posts/${id}`)).find(([href]) => href?.endsWith(id));
  const [profile = []] = menusOf(await mod.open("/@ada"));

  expect(reply?.some((href) => href.includes("lock"))).toBeFalse();
  expect(profile.some((href) => /act=(hide|lock)/.test(href))).toBeFalse();
  expect(profile).toContain("/admin/spam?username=ada");
});

test("the menu offers no act on an account of the same role, a higher role or the reader", async () => {
  await using site = await openSample();
  const mod = signedInAs(site, "mod");
  for (const role of ["moderator", "admin"] as const) {
    changeRole(site.core, OPERATOR, "ada", role);
    const [menu = []] = menusOf(await mod.open(pathOf(site, "/posts/:id")));
    expect(menu).toHaveLength(3);
  }
  const [own = []] = menusOf(await signedInAs(site, "ada").open(pathOf(site, "/posts/:id")));
  expect(own).toHaveLength(3);
});

test("a card of a member has no menu after a moderator opened the page", async () => {
  await using site = await openSample();
  expect(menusOf(await signedInAs(site, "mod").open("/")).length).toBeGreaterThan(0);

  expect(menusOf(await signedInAs(site, "bob").open("/"))).toEqual([]);
  expect(menusOf(await visit(site).open("/"))).toEqual([]);
});

function postId(site: SampleContent): string {
  return pathOf(site, "/posts/:id").split("/").at(-1) ?? "";
}
