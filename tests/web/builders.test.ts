import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { suspendBuilder } from "../moderate.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { callerOf } from "./sample-site.ts";
import { openSiteWithMembers } from "./site-with-members.ts";

test("members find other members by name and tag; guests see no member list", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, bob, guest } = fixture;
  createPost(site.core, callerOf(site, bob), { text: "hello", tags: ["rust"] });
  const all = await ada.open("/builders");
  expect(all.html).toContain('href="/@ada"');
  expect(all.html).toContain('href="/@bob"');
  const found = await ada.open("/builders?q=rust");
  expect(found.html).toContain('href="/@bob"');
  expect(found.html).not.toContain('class="row-title"><a href="/@ada"');
  expect(found.html).toContain('value="rust"');
  const orderOf = async (sort: string): Promise<string[]> => {
    const { html } = await ada.open(`/builders?sort=${sort}`);
    return [...html.matchAll(/class="row-title"[^>]*><a href="\/@([^"]+)"/g)].map(([, name = ""]) => name);
  };
  expect([await orderOf("name"), await orderOf("xp")]).toEqual([
    ["ada", "bob"],
    ["bob", "ada"],
  ]);
  expect(all.html).toContain('<a class="tag" dir="auto" href="/tags/rust">rust</a>');
  expect((await ada.open("/builders?q=nobody-at-all")).html).toContain("No members found");
  suspendBuilder(site.core, OPERATOR, "bob");
  expect((await ada.open("/builders")).html).not.toContain('href="/@bob"');

  const page = await guest.open("/builders");
  expect(page.html).not.toContain("/@ada");
  expect(page.html).toContain('name="password"');
  expect((await guest.open("/")).html).not.toContain('href="/builders"');
  expect((await ada.open("/")).html).toContain('href="/builders"');
});

test("a profile shows its builder's newest prompts and links to all of them", async () => {
  await using fixture = await openSiteWithMembers();
  const { site, ada, guest } = fixture;
  const caller = callerOf(site, ada);
  const draft = { body: "b", model: "claude-sonnet", category: "code-review" };
  for (const title of ["one", "two", "three", "four"])
    submitPrompt(site.core, caller, { ...draft, title: `Prompt ${title}` });
  const { html } = await guest.open("/@ada");
  for (const title of ["two", "three", "four"]) expect(html).toContain(`Prompt ${title}`);
  expect(html).not.toContain("Prompt one");
  expect(html).toContain('href="/@ada/prompts"');
  expect((await guest.open("/@ada/prompts")).html).toContain("Prompt one");
  expect((await guest.open("/@bob")).html).not.toContain("<h2>Prompts</h2>");
  expect((await guest.open("/@nobody/prompts")).status).toBe(404);
});
