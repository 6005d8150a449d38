// Tests docs/contract.md#9.4 and docs/contract.md#9.5.
import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { findInMemberList } from "../../src/core/identity/builders/member-list.ts";
import { openSite, signUpMember, type ShownPage, type Visitor, visibleText } from "./support.ts";
import { pathOf, publishPost } from "./site-with-members.ts";
import { changeRole } from "../../src/core/identity/accounts/administration.ts";

test("a stranger's message waits under Requests until the member accepts or answers it", async () => {
  await using site = openSite();
  const [ada, bob, cy] = [
    await signUpMember(site, "ada"),
    await signUpMember(site, "bob"),
    await signUpMember(site, "cy"),
  ];
  for (const [who, text] of [
    [bob, "From Bob."],
    [cy, "From Cy."],
  ] as const)
    await who.submit(await who.open("/messages/new?to=ada"), "/messages", { text });
  const inbox = visibleText((await ada.open("/messages")).html);
  expect(inbox).toContain("2 message requests");
  expect(inbox).not.toContain("From Bob.");
  const requests = await ada.open("/messages/requests");
  const [first, second] = [...requests.html.matchAll(/href="(\/messages\/thr_\w+)#end"/g)].map(
    ([, at]) => at ?? "",
  );
  const thread = await ada.open(first ?? "");
  expect(visibleText(thread.html)).toContain("You have not written to Cy before.");
  // The open request is marked in the list beside it. docs/contract.md#9.45
  expect(thread.html.match(/<nav class="talks" aria-label="Requests">.*?<\/nav>/s)?.[0]).toMatch(
    new RegExp(`href="${first}#end" aria-current="page".*From Cy\\..*From Bob\\.`, "s"),
  );
  const accepted = await ada.submit(thread, `${first}/accept`);
  expect(visibleText(accepted.html)).toContain("The conversation is now in your inbox.");
  expect(accepted.forms.some(({ action }) => action.endsWith("/accept"))).toBe(false);
  await ada.submit(await ada.open(second ?? ""), second ?? "", { text: "Hello, Bob." });
  expect(visibleText((await ada.open("/messages")).html)).toMatch(/Hello, Bob\..*From Cy\./);
  expect(visibleText((await ada.open("/messages/requests")).html)).toContain("No message requests");
});

test("the unread count leads to Requests if nothing else is unread, and the inbox links there too", async () => {
  await using site = openSite();
  const [ada, bob, cy] = [
    await signUpMember(site, "ada"),
    await signUpMember(site, "bob"),
    await signUpMember(site, "cy"),
  ];
  // The rail with the link to unread messages is on a page with posts.
  await publishPost(bob, "Hello.");
  const write = async (visitor: Visitor, to: string, text: string) =>
    visitor.submit(await visitor.open(`/messages/new?to=${to}`), "/messages", { text });
  const counted = ({ html }: ShownPage) => {
    const [, href, words = ""] = /<a href="([^"]+)"[^>]*>\s*Messages(.*?)<\/a>/s.exec(html) ?? [];
    return [href, visibleText(words)];
  };
  const leading = ({ html }: ShownPage) =>
    visibleText(/<a class="to-requests".*?<\/a>/s.exec(html)?.[0] ?? "");
  expect(counted(await ada.open("/"))).toEqual(["/messages", ""]);
  expect(leading(await ada.open("/messages"))).toBe("");
  await write(bob, "ada", "From Bob.");
  expect(counted(await ada.open("/"))).toEqual(["/messages/requests", "1 unread"]);
  expect((await ada.open("/")).html).toContain('<a href="/messages/requests">1 unread message</a>');
  expect(leading(await ada.open("/messages"))).toBe(
    "1 message request From members you have not written to.",
  );
  await write(ada, "cy", "To Cy.");
  await write(cy, "ada", "From Cy.");
  expect(counted(await ada.open("/"))).toEqual(["/messages", "2 unread"]);
  expect(leading(await ada.open("/messages"))).toContain("1 message request");
  expect(leading(await ada.open("/messages/requests"))).toBe("");
});

test("a member sets who may write to them, and a refused sender learns no reason", async () => {
  await using site = openSite();
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  const saved = await ada.submit(await ada.open("/messages/settings"), "/messages/settings", {
    from: "contacts",
  });
  expect(visibleText(saved.html)).toContain("Changes saved.");
  expect(saved.html).toMatch(/value="contacts" checked/);
  const refused = await bob.submit(await bob.open("/messages/new?to=ada"), "/messages", { text: "Hi." });
  expect(refused.status).toBe(403);
  expect(visibleText(refused.html)).toContain("does not accept messages from you");
});

test("a message can be reported on its page, and admins read it and suspend its author", async () => {
  await using site = openSite();
  const [ada, bob] = [await signUpMember(site, "ada"), await signUpMember(site, "bob")];
  const root = await signUpMember(site, "root");
  changeRole(site.core, OPERATOR, "root", "admin");
  const compose = await bob.open("/messages/new?to=ada");
  const thread = pathOf(await bob.submit(compose, "/messages", { text: "Something **rude**." }));
  const [, report = ""] = /href="(\/report\/msg_\w+)"/.exec((await ada.open(thread)).html) ?? [];
  expect((await bob.open(thread)).html).not.toContain("/report/");
  const page = await ada.open(report);
  expect(visibleText(page.html)).toContain("They do not see the rest of the conversation.");
  const done = await ada.submit(page, report, { reason: "Rude." });
  expect(pathOf(done)).toBe(thread);
  const queue = await root.open("/admin/cases");
  expect(visibleText(queue.html)).toMatch(/Direct message: @bob .*Rude\./);
  const path = /href="(\/admin\/cases\/case_\w+)"/.exec(queue.html)?.[1] ?? "";
  const shown = await root.open(path);
  expect(visibleText(shown.html)).toMatch(/Something rude ?\./);
  expect((await root.open(report)).status).toBe(404);
  await root.submit(shown, `${path}/decide`, { act: "suspend", reason: "Spam.", length: "good" });
  expect(findInMemberList(site.core, OPERATOR, "bob").suspendedAt).not.toBeNull();
  expect(visibleText((await root.open("/admin/cases")).html)).not.toContain("Rude.");
  expect(visibleText((await root.open("/admin/cases?state=closed")).html)).toContain("Rude.");
});
