// The sample docs/samples/server-login in its own process.
import { expect, test } from "bun:test";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { authorize, makeApp, createSignedInMember, openBrowser } from "../oauth/browser.ts";
import { createMember, openTestServer } from "../support.ts";
import { start } from "./started.ts";

test("the server signs a person in and reads the feed, but not after a refusal or forged response", async () => {
  await using testServer = openTestServer({ isLocal: true });
  // The sample uses the real clock.
  testServer.clock.step(Date.now() - testServer.clock.now());
  const ada = createSignedInMember(testServer, "ada");
  createPost(testServer.core, createMember(testServer.core, "bo").caller, { text: "<i>Hello</i>", tags: [] });
  const { app, secret } = makeApp(testServer, ada, { redirectUris: ["http://127.0.0.1/callback"] });
  await using server = await start("server-login/server.js", {
    GUILD: testServer.core.origin,
    CLIENT_ID: app.id,
    CLIENT_SECRET: secret ?? "",
  });
  let cookie = "";
  const visit = async (address: string) => {
    const answer = await fetch(new URL(address, server.origin), { redirect: "manual", headers: { cookie } });
    cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return { status: answer.status, to: answer.headers.get("location") ?? "", html: await answer.text() };
  };
  const browser = openBrowser(testServer, ada);
  const signIn = async (answer: "all" | "refuse") =>
    (await authorize(testServer, browser, (await visit("/sign-in")).to, answer)).to?.href ?? "";

  expect((await visit("/")).html).toContain("Sign in with Guildhall");
  expect((await visit(await signIn("refuse"))).status).toBe(400);
  const forged = new URL(await signIn("all"));
  forged.searchParams.set("state", "another");
  expect((await visit(forged.href)).status).toBe(400);
  expect((await visit("/")).html).toContain("Sign in with Guildhall");

  const before = await visit(await signIn("all"));
  const home = await visit(before.to);

  expect([before.status, before.to]).toEqual([303, "/"]);
  expect(home.html).toBe("<p>Hello ada Okafor</p><ul><li>Bo: &lt;i>Hello&lt;/i></li></ul>");
});
