import { afterAll, describe, expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import * as made from "../media/sample-images.ts";
import { callerOf } from "./sample-site.ts";
import { signUpAndOpen, DESK, type KeyboardUser, closeAll, type WindowOptions, PHONE } from "./keyboard.ts";
import { openSite, signedInAs } from "./support.ts";

describe.skipIf(!hasChromium)("a returning member, by keyboard alone, without scripts", () => {
  afterAll(closeContexts);

  test("on a phone: reads notifications of a reply and a mention, opens them, and edits a post", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, PHONE, "ada"), await signUpAndOpen(site, PHONE, "bob")];
    const caller = callerOf(site, signedInAs(site, "ada"));
    const post = createPost(site.core, caller, { text: "A loom\n\nIt weaves patterns." });
    replyTo(site.core, caller, post.id, { text: "From right to left." });
    await bob.open(`/posts/${post.id}`);
    await bob.fill("Your reply to Ada", "Does it keep the order?");
    await bob.press("Reply");
    await bob.check("A loom");
    await bob.open(`/posts/${post.id}`);
    await bob.press("Reply");
    await bob.fill("Your reply to Ada", "Why, @ada?");
    await bob.press("Reply");
    await bob.check("A loom");
    await bob.press("@ada");
    await bob.check("Ada");

    await ada.open("/prompts");
    // The bell counts two replies, one of them with a mention, and the badge for the first post.
    expect(await bell(ada)).toBe("3 unread");
    await ada.press("Notifications");
    await ada.check("Notifications");
    await ada.press("Does it keep the order?");
    await ada.check("Does it keep the order?");
    expect(await bell(ada)).toBe("2 unread");
    await ada.press("Notifications");
    await ada.press("Mark all as read");
    await ada.check("Notifications");
    expect(await bell(ada)).toBe("");
    await ada.press("Notification settings");
    await ada.check("Notifications");
    await ada.tabTo("Replies: Devices");
    for (let i = 0; i < 2; i++) await ada.page.keyboard.press("ArrowLeft");
    await ada.press("Save changes");
    expect(await ada.visibleText()).toContain("Changes saved.");
    replyTo(site.core, callerOf(site, signedInAs(site, "bob")), post.id, { text: "Nobody hears this." });

    await ada.open(`/posts/${post.id}`);
    expect(await bell(ada)).toBe("");
    await ada.press("Edit");
    await ada.check("Edit post");
    await ada.fill("Text", "A loom\n\nIt weaves pictures.");
    await ada.press("Save changes");
    await ada.check("A loom");
    await ada.press("edited");
    await ada.check("Edit history");
    const said = (tag: string) => ada.page.locator(`.revisions ${tag}`).allInnerTexts();
    expect([await said("del"), await said("ins")]).toEqual([["patterns"], ["pictures"]]);
    await closeAll(ada, bob);
  }, 120_000);

  test("follows a builder and a tag, bookmarks a post, and finds it again", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, DESK, "ada"), await signUpAndOpen(site, PHONE, "bob")];
    const caller = callerOf(site, signedInAs(site, "bob"));
    createPost(site.core, caller, { text: "A spindle", tags: ["weaving"] });
    await ada.open("/@bob");
    await ada.press("Follow");
    await ada.check("Bob");
    await bob.open("/notifications");
    expect(await bob.visibleText()).toContain("Ada follows you");
    await ada.press("#weaving");
    await ada.press("Follow");
    await ada.check("#weaving");
    await ada.press("Back to the feed");
    await ada.press("Following");
    await ada.check("Following");
    expect(await ada.visibleText()).toContain("A spindle");
    await ada.press("Bookmark");
    await ada.press("See what you follow");
    await ada.check("Following");
    await ada.press("Unfollow");
    expect(await ada.visibleText()).toContain("You are not following any members yet.");
    await menu(ada, "Bookmarks");
    await ada.check("Bookmarks");
    expect(await ada.visibleText()).toContain("A spindle");

    await seek(ada, DESK, "weaving spin*");
    await ada.check("weaving spin* · Search");
    await ada.press("A spindle");
    await ada.check("A spindle");

    await seek(bob, PHONE, "weaving spin*");
    await bob.check("weaving spin* · Search");

    await bob.open("/notifications");
    expect(await bob.visibleText()).not.toContain("follows you");
    expect(await bell(bob)).toBe("1 unread");
    await menu(bob, "Settings");
    await bob.check("Account");
    // On a phone, the button opens the menu of the settings.
    await bob.tabTo(/^Settings/);
    await bob.page.keyboard.press("Enter");
    await bob.press("Notifications");
    await bob.press("Private feed");
    await bob.check("Private feed");
    const address = () => bob.page.locator(".secret-value").innerText();
    await bob.press("Create feed URL");
    await bob.check("Private feed");
    const first = await address();
    await bob.press("Create new feed URL");
    expect(await address()).not.toBe(first);
    await closeAll(ada, bob);
  }, 120_000);

  test("on a phone: sends a picture with a post, and sees it", async () => {
    await using site = openSite();
    const ada = await signUpAndOpen(site, PHONE, "ada");
    const file = { name: "a.png", mimeType: "image/png", buffer: made.png(600, 200) };
    let chosen = Promise.withResolvers<void>();
    ada.page.on("filechooser", (chooser) => void chooser.setFiles(file).then(() => chosen.resolve()));
    await ada.open("/");
    await ada.tick("What are you building?");
    await ada.fill("Your post", "A loom, as it stands");
    await ada.tick("Add images or videos");
    await ada.check("Guildhall");
    await ada.tick("Image");
    await chosen.promise;
    await ada.fill("Image description", "A loom of oak");
    await ada.press("Post");
    await ada.check("A loom, as it stands");
    await ada.page.getByAltText("A loom of oak").waitFor();
    expect(await ada.page.evaluate("document.querySelector('.pictures img').naturalWidth")).toBeGreaterThan(
      0,
    );

    await ada.open("/settings/profile");
    chosen = Promise.withResolvers();
    await ada.tick("Image file");
    await chosen.promise;
    await ada.press("Use this picture");
    await ada.check("Profile");
    expect(await ada.visibleText()).toContain("Your picture is shown next to your name.");
    await ada.press("Use my identicon");
    await closeAll(ada);
  }, 120_000);
});

/** Returns the text of the bell as a screen reader announces it. */
async function bell({ page }: KeyboardUser): Promise<string> {
  const [, ...count] = (await page.locator(".bell").innerText()).split("\n");
  return count.join(" ").replaceAll(/\s+/g, " ").trim();
}

async function menu(user: KeyboardUser, location: string): Promise<void> {
  await user.tabTo(/^Account of/);
  await user.page.keyboard.press("Enter");
  await user.press(location);
}

/** Searches from the header. On narrow screens the header only links to the search page. */
async function seek(user: KeyboardUser, options: WindowOptions, text: string): Promise<void> {
  if (options === PHONE) await user.press("Search");
  await user.fill("Search everything", text);
  const arrived = user.page.waitForNavigation();
  await user.page.keyboard.press("Enter");
  await arrived;
}
