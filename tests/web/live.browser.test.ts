// Tests docs/contract.md#9.14, docs/contract.md#9.43 and docs/contract.md#9.43.1 in a browser with scripts.
import { afterAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { followBuilder } from "../../src/core/community/following/following.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { createMember } from "../support.ts";
import { createAccountOf, openSite, signedInAs } from "./support.ts";
import { faultsOf } from "./keyboard.ts";
import { callerOf } from "./sample-site.ts";
import { openTab } from "./browser-tabs.ts";

async function streams(url: string): Promise<number> {
  const page = await (await fetch(`${url}/metrics`)).text();
  return Number(/^guildhall_streams_open (\d+)/m.exec(page)?.[1]);
}

const inThe = (page: Page, location: string, text: string) =>
  page.locator(location, { hasText: text }).first().waitFor({ timeout: 20_000 });

describe.skipIf(!hasChromium)("an open page", () => {
  afterAll(closeContexts);

  test("shows new replies, messages, counts and the number of new posts, without disturbing typed text", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    const post = createPost(site.core, bo, { text: "A loom" });
    const { threadId } = sendMessage(site.core, bo, { to: "ada", text: "hello" });
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    const url = (path: string): string => site.core.origin + path;

    await page.goto(url(`/posts/${post.id}`));
    const field = page.getByLabel("Your reply");
    await field.fill("I was just");
    replyTo(site.core, bo, post.id, { text: "and a wheel" });
    await inThe(page, "[data-talk] .post.is-new", "and a wheel");
    expect(await field.inputValue()).toBe("I was just");

    await page.goto(url(`/messages/${threadId}`));
    expect(await page.locator("[data-unread=messages]").isHidden()).toBe(true);
    sendMessage(site.core, bo, { to: "ada", text: "are you there?" });
    await inThe(page, ".talk .message", "are you there?");

    await page.goto(url("/"));
    for (const text of ["one", "two"]) createPost(site.core, bo, { text });
    await inThe(page, "[data-new-posts] a", "2 new posts");
    sendMessage(site.core, bo, { to: "ada", text: "well?" });
    await inThe(page, "[data-unread=messages]", "1");
    await page.locator("[data-new-posts] a").click();
    await inThe(page, ".post", "two");

    await page.goto(url(`/posts/${post.id}`));
    expect(await field.inputValue()).toBe("I was just");
    await field.fill("I was just looking");
    await page.getByRole("button", { name: "Reply" }).click();
    await inThe(page, ".post:focus", "I was just looking");
    await page.goto(url(`/posts/${post.id}`));
    expect(await field.inputValue()).toBe("");
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);

  test("likes, bookmarks, follows, rates and dismisses in place, keeping focus and scroll, and says why a form is refused", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    for (let i = 0; i < 12; i++)
      createPost(site.core, bo, { text: `Loom ${i}\n\n${"It weaves. ".repeat(60)}` });
    const sample = { title: "Warp", body: "Explain a warp.", model: "any", category: "craft" };
    const prompt = submitPrompt(site.core, bo, sample).id;
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    await page.goto(`${site.core.origin}/`);
    const post = page.locator(".post", { hasText: "Loom 6" });
    const like = post.locator("button.like");
    await like.scrollIntoViewIfNeeded();
    const top = await page.evaluate<number>("scrollY");
    const isPressed = (value: boolean) => post.locator(`.like[aria-pressed=${value}]:focus`).waitFor();

    // A double click likes once. The answer is slow, so the second click comes before it.
    await context.route("**/like", async (route) => {
      await Bun.sleep(300);
      await route.continue();
    });
    await like.dblclick();
    expect(await like.getAttribute("aria-pressed")).toBe("true");
    await post.getByText("Like · 1").waitFor();
    await isPressed(true);
    expect(await page.evaluate<number>("scrollY")).toBe(top);
    await page.keyboard.press("Enter");
    await isPressed(false);
    await post.getByRole("button", { name: "Bookmark" }).click();
    await post.locator(".keep[aria-pressed=true]").waitFor();

    await context.route("**/like", (route) => route.abort());
    await like.click();
    await post.getByRole("alert").getByText("The server did not answer.").waitFor();
    expect(await like.getAttribute("aria-pressed")).toBe("false");
    await context.unrouteAll();
    const id = (await post.getAttribute("id")) ?? "";
    deletePost(site.core, bo, id);
    await like.click();
    await post.getByRole("alert").getByText("This post does not exist or is no longer available.").waitFor();
    expect(await like.getAttribute("aria-pressed")).toBe("false");

    await page.goto(`${site.core.origin}/prompts/${prompt}`);
    await page.getByTitle("4 stars").click();
    await page.getByRole("button", { name: "Submit rating" }).click();
    await page.locator("button:focus", { hasText: "Change rating" }).waitFor();
    expect(await page.locator("#score").innerText()).toContain("4.0");

    followBuilder(site.core, bo, "ada");
    await page.goto(`${site.core.origin}/notifications`);
    await page.getByRole("button", { name: "Mark as read" }).click();
    await page.locator(".told li:not(.unread) a:focus", { hasText: "Bo" }).waitFor();
    await page.locator("[data-unread=notifications]").waitFor({ state: "hidden" });
    likePost(
      site.core,
      bo,
      createPost(site.core, callerOf(site, signedInAs(site, "ada")), { text: "Ada" }).id,
    );
    await page.goto(`${site.core.origin}/notifications/unread`);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.locator("#told .empty").waitFor();
    expect(await page.getByRole("button", { name: "Mark all as read" }).count()).toBe(0);

    await page.goto(`${site.core.origin}/`);
    await page.locator(".first-steps").getByRole("button", { name: "Dismiss" }).click();
    await page.locator("main:focus").waitFor();
    expect(await page.locator(".first-steps").count()).toBe(0);

    await page.goto(`${site.core.origin}/@bo`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.locator("button:focus", { hasText: "Following" }).waitFor();
    await context.clearCookies();
    await page.getByRole("button", { name: "Following" }).click();
    await page.getByRole("alert").getByText("This form has expired.").waitFor();
    expect(complaints.filter((text) => !/404|Failed to load|403/.test(text))).toEqual([]);
    await context.close();
  }, 120_000);

  test("opens the form below a reply, and lands the new reply in the thread with the focus", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    const post = createPost(site.core, bo, { text: "A loom" });
    const [first, second] = ["one", "two"].map((text) => replyTo(site.core, bo, post.id, { text }));
    const { page, context, complaints } = await openTab(site, { as: "ada", width: 390 });
    await page.goto(`${site.core.origin}/posts/${post.id}`);
    const article = (id = "") => page.locator(`article[id="${id}"]`);
    const open = (id?: string) => article(id).getByRole("link", { name: "Reply", exact: true }).click();
    const field = page.locator(".in-thread textarea:focus");

    // The text of a closed form is kept.
    await open(first?.id);
    await field.fill("It weaves");
    await page.keyboard.press("Escape");
    await article(first?.id).locator("a:focus", { hasText: "Reply" }).waitFor();
    await open(first?.id);
    expect(await field.inputValue()).toBe("It weaves");
    expect(await faultsOf(page)).toEqual([]);

    // A refusal keeps the text. A reply that arrives meanwhile does not close the form.
    await field.fill(" ");
    await page.locator(".in-thread").getByRole("button", { name: "Reply" }).click();
    await page.locator(".in-thread [role=alert]", { hasText: "Enter some visible text." }).waitFor();
    await page.locator(".in-thread textarea").fill("It weaves well");
    await page.getByLabel("Your reply to Bo", { exact: true }).last().fill("and here");
    replyTo(site.core, bo, first?.id ?? "", { text: "three" });
    await inThe(page, "[data-talk] .post.is-new", "three");
    const [form] = await page.locator(".in-thread").all();
    expect(await form?.locator("textarea").inputValue()).toBe("It weaves well");
    await form?.getByRole("button", { name: "Reply" }).click();
    await page.locator(".thread .thread article:focus", { hasText: "It weaves well" }).waitFor();
    expect(await page.locator(".in-thread").count()).toBe(0);
    expect(await page.locator("#answer textarea").inputValue()).toBe("and here");

    // The form below the conversation works in the same way, and is empty afterwards.
    await page.locator("#answer").getByRole("button", { name: "Reply" }).click();
    await page.locator("article:focus", { hasText: "and here" }).waitFor();
    expect(await page.locator("#answer textarea").inputValue()).toBe("");
    await open(second?.id);
    expect(await field.inputValue()).toBe("");
    deletePost(site.core, bo, second?.id ?? "");
    await field.fill("too late");
    await page.locator(".in-thread").getByRole("button", { name: "Reply" }).click();
    await page.getByRole("alert").getByText("This post does not exist or is no longer available.").waitFor();
    expect(await page.locator(".in-thread textarea").inputValue()).toBe("too late");

    const { threadId } = sendMessage(site.core, bo, { to: "ada", text: "hello" });
    sendMessage(site.core, callerOf(site, signedInAs(site, "ada")), { to: "bo", text: "hi" });
    await page.goto(`${site.core.origin}/messages/${threadId}`);
    await page.locator(".talk-form textarea").fill("Look at my loom");
    await page.getByRole("button", { name: "Send" }).click();
    await inThe(page, "[data-talk] .message.mine", "Look at my loom");
    await page.locator("textarea:focus").waitFor();
    expect(await page.locator("textarea:focus").inputValue()).toBe("");
    expect(complaints.filter((text) => !/Failed to load/.test(text))).toEqual([]);
    await context.close();
  }, 120_000);

  test("single keys move between posts, like, reply and search, and a check box turns them off", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    for (const text of ["one", "two"]) createPost(site.core, bo, { text: `Loom ${text}` });
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    const press = (...keys: string[]) =>
      keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
    await page.goto(`${site.core.origin}/`);
    await press("j", "j");
    await page.locator(".post:focus", { hasText: "Loom one" }).waitFor();
    await press("k", "l");
    await page.locator(".post", { hasText: "Loom two" }).locator(".like[aria-pressed=true]:focus").waitFor();
    await press("n");
    await page.locator(".composer textarea:focus").waitFor();
    await press("l", "?");
    expect(await page.locator(".composer textarea").first().inputValue()).toBe("l?");
    await page.locator(".composer summary").first().focus();
    await press("/");
    await page.locator("form.seek input:focus").waitFor();
    await page.locator(".composer summary").first().focus();
    await press("g", "j");
    await page.waitForURL("**/jobs");

    await press("?");
    await page.locator("dialog.sheet[open]").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Use keyboard shortcuts in this browser").uncheck();
    await press("Escape");
    await page.locator("dialog.sheet[open]").waitFor({ state: "detached" });
    await press("?", "g", "p");
    await page.goto(`${site.core.origin}/settings/shortcuts`);
    await page.getByLabel("Use keyboard shortcuts in this browser").check();
    await press("g", "p");
    await page.waitForURL("**/prompts");
    expect(complaints).toEqual([]);
    await context.close();
  }, 120_000);

  test("shares one stream between all tabs of a browser; signing out deletes typed drafts", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    const tabs = [page];
    for (let i = 1; i < 8; i++) tabs.push(await context.newPage());
    for (const tab of tabs) await tab.goto(`${site.core.origin}/`);
    createPost(site.core, bo, { text: "one" });
    for (const tab of tabs) await inThe(tab, "[data-new-posts] a", "1 new post");
    expect(await streams(site.url)).toBe(1);

    await page.getByText("What are you building?").click();
    await page.getByLabel("Your post").fill("A secret loom");
    const kept = () => page.evaluate("JSON.stringify(localStorage)") as Promise<string>;
    expect(await kept()).toContain("A secret loom");
    await page.locator(".me > button").click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await inThe(page, "main", "You are signed out.");
    expect(await kept()).not.toContain("loom");
    expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
    await context.close();
  }, 120_000);

  test("closes its stream while hidden, resumes afterwards, and retries after a proxy error", async () => {
    await using site = openSite();
    await createAccountOf(site, "ada");
    const bo = createMember(site.core, "bo").caller;
    const { page, context } = await openTab(site, { as: "ada" });
    let refused = 1;
    await context.route("**/live?*", (route) =>
      refused-- > 0 ? route.fulfill({ status: 502, body: "Bad Gateway" }) : route.continue(),
    );
    await page.goto(`${site.core.origin}/`);
    const until = async (count: number): Promise<void> => {
      while ((await streams(site.url)) !== count) await Bun.sleep(50);
    };
    await until(1);
    const turn = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
         document.dispatchEvent(new Event("visibilitychange"))`,
      );
    await turn(true);
    await until(0);
    createPost(site.core, bo, { text: "one" });
    await turn(false);
    await inThe(page, "[data-new-posts] a", "1 new post");
    await until(1);
    await context.close();
  }, 120_000);
});
