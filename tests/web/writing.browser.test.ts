// Tests docs/contract.md#9.44 in a browser.
import { afterAll, describe, expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { setPictureStorage } from "../../src/core/community/media/picture-storage.ts";
import { createPictureStorage } from "../../src/media/picture-storage.ts";
import { inProcessEncoder } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import { block } from "../../src/core/community/messages/blocks.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { suspendBuilder } from "../moderate.ts";
import { createMember } from "../support.ts";
import { closeContexts, hasChromium, WIDTHS } from "../browser.ts";
import { callerOf } from "./sample-site.ts";

import { createAccountOf, openSite, signedInAs } from "./support.ts";
import { faultsOf } from "./keyboard.ts";
import { openTab } from "./browser-tabs.ts";

describe.skipIf(!hasChromium)("in a real browser", () => {
  afterAll(closeContexts);

  test("axe-core finds nothing on pages of edits, conversations and versions, and nothing overflows on phone or desktop", async () => {
    await using site = openSite();
    const { core } = site;
    await createAccountOf(site, "ada");
    const ada = callerOf(site, signedInAs(site, "ada"));
    const long = "W".repeat(90);
    const post = createPost(core, ada, { text: `# Shipped\n\n${long}`, tags: ["rust"] });
    editPost(core, ada, post.id, { text: `# Shipped\n\n${long} and ${long}`, tags: ["go"] });
    const chain = [post.id];
    for (const text of ["one", "two", "three", `four ${long}`, "five"])
      chain.push(replyTo(core, ada, chain.at(-1) ?? "", { text }).id);
    deletePost(
      core,
      ada,
      replyTo(core, ada, replyTo(core, ada, post.id, { text: "six" }).id, { text: "seven" }).id,
    );
    deletePost(core, ada, chain[1] ?? "");
    const prompt = submitPrompt(core, ada, { title: long, body: `a\n${long}`, model: "m", category: "c" }).id;
    revisePrompt(core, ada, prompt, { body: `b\n${long} ${long}`, note: "n" });
    const locations = [
      ...[`/posts/${post.id}`, `/posts/${chain[4]}`, `/posts/${post.id}/edit`, `/posts/${post.id}/history`],
      ...[`/prompts/${prompt}/compare`, `/prompts/${prompt}`, `/prompts/${prompt}/revise`],
    ];
    for (const width of [360, 1280]) {
      const { page, context } = await openTab(site, { width, as: "ada" });
      await page.emulateMedia({ colorScheme: width === 360 ? "dark" : "light" });
      // On a wide screen, checks only the pages whose layout differs from that on a phone.
      for (const location of width === 360 ? locations : locations.filter((_, i) => i === 0 || i === 4)) {
        await page.goto(core.origin + location);
        expect([location, width, await faultsOf(page)]).toEqual([location, width, []]);
        const [whole, seen] = await page.evaluate<[number, number]>(WIDTHS);
        expect([location, whole]).toEqual([location, seen]);
      }
      await context.close();
    }
  }, 120_000);

  test("pasted and dropped pictures are uploaded at once with progress, described, previewed and posted", async () => {
    await using site = openSite();
    const { core } = site;
    setPictureStorage(core, createPictureStorage(site.folder, inProcessEncoder()));
    await createAccountOf(site, "ada");
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    await page.goto(core.origin);
    await page.locator("#composer summary").first().click();
    await page.getByLabel("Your post").fill("Look");
    // Lets the upload start when its bar is visible.
    await page.route("**/posts", async (route) => {
      await page.locator(".uploading progress").waitFor();
      await route.continue();
    });

    const alts = page.locator(".sent-pictures input[type=text]");
    await page.evaluate(giving("paste", [["cat.png", made.png(60, 20)]]));
    await alts.fill("A cat");
    const pictures = [30, 31, 32, 33].map((size): [string, Buffer] => [`${size}.png`, made.png(size, 20)]);
    await page.evaluate(giving("drop", [["notes.txt", Buffer.from("text")], ...pictures]));
    await page.locator(".sent-pictures li").nth(3).waitFor();
    await page.locator(".fault", { hasText: "33.png: Add at most 4 items." }).waitFor();
    expect(await page.locator(".fault", { hasText: "notes.txt: " }).count()).toBe(1);
    expect(await alts.first().inputValue()).toBe("A cat");
    await page.getByRole("button", { name: "Remove image" }).last().click();
    await page.unroute("**/posts");

    // A closed tab keeps the draft with its pictures.
    await page.reload();
    await page.locator(".restored", { hasText: "Your unsent draft was restored." }).waitFor();
    await page.locator(".sent-pictures li").nth(2).waitFor();
    expect(await alts.first().inputValue()).toBe("A cat");

    await page.getByRole("button", { name: "Preview" }).click();
    await page.locator("#preview").waitFor();
    expect(await page.locator("#preview img").count()).toBe(3);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.locator(".post .pictures img").first().waitFor();
    expect(await page.evaluate(ALTS)).toEqual(["A cat", "", ""]);
    expect(complaints.filter((one) => !/status of (?:400|422)/.test(one))).toEqual([]);
    await context.close();
  }, 60_000);

  test("completes @names and #tags by keyboard and mouse, without suspended and blocked members", async () => {
    await using site = openSite();
    const { core } = site;
    await createAccountOf(site, "ada");
    const ada = callerOf(site, signedInAs(site, "ada"));
    for (const name of ["beate", "belinda", "benno", "bert"]) createMember(core, name);
    block(core, ada, "belinda");
    suspendBuilder(core, OPERATOR, "benno");
    createPost(core, ada, { text: "!", tags: ["privet", "prolog", "rust"] });
    const { page, context, complaints } = await openTab(site, { as: "ada" });
    const options = page.locator("#completion [role=option]");
    await page.goto(core.origin);
    await page.locator("#composer summary").first().click();
    const text = page.getByLabel("Your post");

    await text.pressSequentially("Thanks @be");
    await options.first().waitFor();
    expect((await options.allTextContents()).map((one) => one.trim())).toEqual([
      "@beate Beate",
      "@bert Bert",
    ]);
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    expect(await text.getAttribute("aria-activedescendant")).toBe("completion-1");
    await page.keyboard.press("Enter");
    expect(await text.inputValue()).toBe("Thanks @bert ");
    await text.pressSequentially("for #ru");
    await options.first().click();
    await text.pressSequentially("and #pr");
    await options.first().waitFor();
    await page.keyboard.press("Escape");
    expect(await options.count()).toBe(0);
    expect(await text.inputValue()).toBe("Thanks @bert for #rust and #pr");

    const tags = page.getByLabel("Tags");
    await tags.pressSequentially("Прив");
    await options.first().waitFor();
    expect((await options.allTextContents()).map((one) => one.trim())).toEqual([
      "#priv “Прив” becomes priv.",
      "#privet",
    ]);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    expect(await tags.inputValue()).toBe("privet ");

    // Another tab restores the draft and changes it. This older tab does not overwrite the newer draft.
    const other = await context.newPage();
    await other.goto(core.origin);
    await other.locator(".restored").waitFor();
    expect(await other.getByLabel("Tags").inputValue()).toBe("privet ");
    await other.getByLabel("Your post").fill("Newer");
    await text.fill("Older");
    await page.reload();
    expect(await text.inputValue()).toBe("Newer");
    await page.getByRole("button", { name: "Discard" }).click();
    expect([await text.inputValue(), await tags.inputValue()]).toEqual(["", ""]);
    await page.reload();
    expect(await page.locator(".restored").count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  }, 60_000);
});

const ALTS = '[...document.querySelectorAll(".post .pictures img")].map(({ alt }) => alt)';

/** Returns a script that pastes or drops files into the text of the open form. */
const giving = (type: "paste" | "drop", files: readonly [name: string, bytes: Buffer][]): string => `{
  const data = new DataTransfer();
  for (const [name, base64] of ${JSON.stringify(files.map(([name, bytes]) => [name, bytes.toString("base64")]))})
    data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
  const settings = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
  const event = new (${type === "paste" ? "ClipboardEvent" : "DragEvent"})("${type}", settings);
  document.querySelector("#text").dispatchEvent(event);
}`;
