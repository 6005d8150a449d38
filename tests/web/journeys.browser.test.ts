import { afterAll, describe, expect, test } from "bun:test";
import { getProfile } from "../../src/core/community/profiles/profiles.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { getStreak } from "../../src/core/community/xp/streaks.ts";
import { submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { closeContexts, hasChromium } from "../browser.ts";
import { callerOf } from "./sample-site.ts";
import { signUpAndOpen, DESK, closeAll, PHONE } from "./keyboard.ts";
import { openSite, signedInAs } from "./support.ts";

describe.skipIf(!hasChromium)("by keyboard alone, without scripts", () => {
  afterAll(closeContexts);

  test("on a desktop: a member posts, replies, likes, unlikes and deletes the post", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, DESK, "ada"), await signUpAndOpen(site, DESK, "bob")];
    await ada.open("/");
    await ada.tick("What are you building?");
    await ada.fill("Your post", "# A loom\n\nIt weaves **patterns**.");
    await ada.press("Post");
    expect(await ada.visibleText()).toContain("Post published.");

    await bob.open("/");
    await bob.press("Like");
    expect(await bob.visibleText()).toContain("Like · 1");
    await bob.check("Guildhall");
    await bob.press("Reply");
    await bob.check("A loom");
    await bob.fill("Your reply to Ada", "Does it keep the order?");
    await bob.press("Reply");
    expect(await bob.visibleText()).toContain("Does it keep the order?");
    await bob.check("A loom");
    await bob.press("Like · 1");
    expect(await bob.visibleText()).not.toContain("Like · 1");
    await bob.press("Delete");
    await bob.check("Delete this reply?");
    await bob.press("Cancel");

    await ada.open("/");
    await ada.press("1 reply");
    expect(await ada.visibleText()).toContain("Does it keep the order?");
    await ada.press("Report");
    await ada.check("Report this post");
    await ada.fill("Reason for the report", "It asks too good questions.");
    await ada.press("Send report");
    expect(await ada.visibleText()).toContain("Thank you for your report.");
    await ada.press("1 reply");
    await ada.press("Delete");
    await ada.check("Delete this post?");
    await ada.press("Delete post");
    expect(await ada.visibleText()).toContain("Post deleted.");
    await bob.page.reload();
    await bob.check("Not found");
    await closeAll(ada, bob);
  }, 120_000);

  test("on a phone: a member saves a search, and a fitting job becomes a match", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, PHONE, "ada"), await signUpAndOpen(site, PHONE, "bob")];
    await ada.open("/jobs");
    await ada.tick("Filters");
    await ada.fill("Tech stack", "rust");
    await ada.tick("Remote");
    await ada.press("Search");
    await ada.check("Jobs");
    await ada.press("Save as job filter");
    expect(await ada.visibleText()).toContain("Job filter saved.");
    await ada.check("Job filters");

    await bob.open("/jobs");
    await bob.press("Publish a job");
    await bob.check("Publish a job");
    await bob.fill("Company", "Tidewater Systems");
    await bob.fill("Title", "Storage Engineer");
    await bob.fill("Location", "Lisbon, Portugal");
    await bob.tick("This job can be fully remote");
    await bob.fill("Tech stack", "rust, sqlite");
    await bob.fill("From", "75000");
    await bob.fill("To", "105000");
    await bob.fill("Description", "You will own the **storage engine**.");
    await bob.fill("Application link or email address", "https://tidewater.example.com/careers/1");
    await bob.press("Publish job");
    expect(await bob.visibleText()).toContain("Job published. It stays on the jobs board for 60 days.");
    await bob.check("Storage Engineer");

    await ada.press("Matching jobs");
    await ada.check("Matching jobs");
    expect(await ada.visibleText()).toContain("100% match “rust · remote”");
    await ada.press("Storage Engineer");
    await ada.check("Storage Engineer");
    await bob.press("Close this job");
    expect(await bob.visibleText()).toContain("Job closed.");
    await bob.check("Storage Engineer");
    await closeAll(ada, bob);
  }, 120_000);

  test("on a desktop: a message is unread, then read, then answered; then its sender is blocked", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, DESK, "ada"), await signUpAndOpen(site, DESK, "bob")];
    await bob.open("/@ada");
    await bob.check("Ada");
    await bob.press("Send a message");
    await bob.check("New message");
    await bob.fill("Message", "Saw your loom: shall we talk?");
    await bob.press("Send");
    await bob.check("Ada");

    await ada.open("/");
    await ada.press(/^Messages/);
    // The first message from a new contact is a request, and the count links to it.
    await ada.check("Requests");
    expect(await ada.visibleText()).toContain("1 unread");
    await ada.press("Bob");
    await ada.check("Bob");
    expect(await ada.visibleText()).not.toContain("unread");
    await ada.fill("Your reply", "Gladly. Tomorrow?");
    await ada.press("Send");
    expect(await ada.visibleText()).toContain("Gladly. Tomorrow?");

    await ada.press("@bob");
    await ada.press("Block");
    expect(await ada.visibleText()).toContain("You blocked this member");
    await ada.check("Bob");
    await bob.fill("Your reply", "At ten.");
    await bob.press("Send");
    expect(await bob.visibleText()).toContain("This member does not accept messages from you.");
    await bob.check("Ada");
    await closeAll(ada, bob);
  }, 120_000);

  test("on a phone: a prompt is rated with stars and revised", async () => {
    await using site = openSite();
    const [ada, bob] = [await signUpAndOpen(site, PHONE, "ada"), await signUpAndOpen(site, PHONE, "bob")];
    const prompt = submitPrompt(site.core, callerOf(site, signedInAs(site, "ada")), {
      title: "Review a diff",
      body: "You maintain this.",
      model: "claude-sonnet",
      category: "code-review",
    });
    await bob.open("/prompts");
    await bob.press("Review a diff");
    await bob.check("Review a diff");
    // A group of radio buttons is one tab stop. Arrow keys change the value.
    await bob.tick(/^1 star/);
    for (let i = 1; i < 4; i++) await bob.page.keyboard.press("ArrowRight");
    await bob.press("Submit rating");
    expect(await bob.visibleText()).toContain("4.0 ★ (1 rating)");
    await bob.check("Review a diff");

    await ada.open(`/prompts/${prompt.id}`);
    await ada.press("Create a new version");
    await ada.check("New version");
    await ada.fill("Prompt text", "Begin with the tests.");
    await ada.fill("Change note", "Tests first.");
    await ada.press("Publish new version");
    await ada.check("Review a diff");
    expect(await ada.visibleText()).toContain("Version 2 (current)");
    await ada.press("Delete prompt");
    await ada.check("Delete this prompt?");
    await ada.press("Delete prompt");
    await ada.check("Your prompts");
    await closeAll(ada, bob);
  }, 120_000);

  test("on a desktop: a member fills in a profile with a project and sees the points", async () => {
    await using site = openSite();
    const ada = await signUpAndOpen(site, DESK, "ada");
    const caller = callerOf(site, signedInAs(site, "ada"));
    publishJob(site.core, caller, {
      title: "Storage Engineer",
      company: { name: "Tidewater", slug: "tidewater" },
      location: "Lisbon",
      remote: true,
      seniority: "senior",
      stack: ["rust"],
      salary: { min: 1, max: 2, currency: "EUR" },
      description: "x",
      apply_url: "https://tidewater.example.com/",
    });
    await ada.open("/@ada");
    await ada.press("Edit profile");
    await ada.check("Profile");
    await ada.fill("Name", "Ada Okafor");
    await ada.fill("About you", "Compilers by day.");
    await ada.press("Save changes");
    expect(await ada.visibleText()).toContain("Changes saved.");
    await ada.press("Language");
    await ada.check("Language and time zone");
    await ada.tabTo("Time zone");
    await ada.page.keyboard.type("Lisbon");
    await ada.press("Save changes");
    expect(await ada.visibleText()).toContain("Changes saved.");
    await ada.press("Profile");
    await ada.check("Profile");
    await ada.press("Add a project");
    await ada.check("Add a project");
    await ada.fill("Title", "tinyqueue");
    await ada.fill("Link", "https://tinyqueue.example.com");
    await ada.press("Add project");
    await ada.check("Profile");
    await ada.press("View your profile");
    await ada.check("Ada Okafor");
    expect(getProfile(site.core, caller, "ada")).toMatchObject({
      name: "Ada Okafor",
      bio: "Compilers by day.",
      projects: [{ title: "tinyqueue" }],
    });
    expect(getStreak(site.core, caller).nextTimeZone?.name).toBe("Europe/Lisbon");
    await ada.press("XP history");
    await ada.check("XP history");
    expect(await ada.visibleText()).toContain("Published a job");
    await closeAll(ada);
  }, 120_000);
});
