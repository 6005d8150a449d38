// Tests docs/contract.md#4.22: previews.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { jobDraft } from "../spec/rows.ts";
import { callerOf } from "./sample-site.ts";
import { contentsOf, openSite, signUpMember, visibleText, type Fields } from "./support.ts";

test("a preview shows the result, writes nothing and keeps all typed text", async () => {
  await using site = openSite();
  const { core } = site;
  const ada = await signUpMember(site, "ada");
  const caller = callerOf(site, ada);
  await signUpMember(site, "bo");
  const post = createPost(core, caller, { text: "A post", tags: ["go"] });
  const prompt = submitPrompt(core, caller, { title: "t", body: "b", model: "m", category: "c" });
  const job = publishJob(core, caller, jobDraft());
  const { threadId } = sendMessage(core, caller, { to: "bo", text: "hello" });
  const text = "# Title\r\n\r\n**bold** @bo <b>";
  const html = (level: number) =>
    `<h${level}>Title</h${level}>\n<p><strong>bold</strong> <a class="mention" href="/@bo">@bo</a> &lt;b&gt;</p>`;
  const sample = '# Title\n\n**bold** <a class="mention" href="/@bo">@bo</a> &lt;b&gt;';
  const forms: [page: string, action: string, typed: Fields, field: string, shown: string][] = [
    ["/", "/posts", { text, tags: "rust C++", media: "https://e.example/a.png" }, "text", html(3)],
    [`/posts/${post.id}`, `/posts/${post.id}/replies`, { text }, "text", html(3)],
    [`/posts/${post.id}/edit`, `/posts/${post.id}/edit`, { text, tags: "go" }, "text", html(3)],
    ["/messages/new", "/messages", { to: "bo", text }, "text", html(2)],
    [`/messages/${threadId}`, `/messages/${threadId}`, { text }, "text", html(2)],
    ["/prompts/new", "/prompts", { title: "A title", body: text }, "body", sample],
    [
      `/prompts/${prompt.id}/revise`,
      `/prompts/${prompt.id}/revise`,
      { body: text, note: "n" },
      "body",
      sample,
    ],
    [
      "/jobs/new",
      "/jobs",
      { title: "Weaver", description: text, remote: "true" },
      "description",
      "<h2>Title</h2>",
    ],
    [
      `/jobs/${job.id}/edit`,
      `/jobs/${job.id}/edit`,
      { title: "W", description: text },
      "description",
      "<h2>Title",
    ],
  ];
  for (const [page, action, typed, field, shown] of forms) {
    const before = contentsOf(site);
    const confirmation = await ada.open(page);
    expect([page, confirmation.html.includes('id="preview"')]).toEqual([page, false]);
    const seen = await ada.submit(confirmation, action, { ...typed, preview: "1" });
    expect([page, seen.status, seen.location]).toEqual([page, 200, null]);
    const [, preview = ""] = /<section class="preview"([^]*?)<\/section>/.exec(seen.html) ?? [];
    expect([page, preview]).toEqual([page, expect.stringContaining(shown)]);
    if (typed["tags"] === "rust C++")
      expect(visibleText(seen.html)).toContain("“\u2068C++\u2069” becomes cpp. In use: go.");
    const form = seen.forms.find((form) => form.action === action);
    const kept = Object.fromEntries(form?.fields ?? []);
    for (const [name, value] of Object.entries(typed))
      expect([page, name, kept[name]?.replaceAll("\r\n", "\n")]).toEqual([
        page,
        name,
        String(value).replaceAll("\r\n", "\n"),
      ]);
    expect([page, contentsOf(site) === before]).toEqual([page, true]);
    expect(kept[field]).toBeDefined();
  }
});
