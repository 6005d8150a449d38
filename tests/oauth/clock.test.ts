import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { openTestServer } from "../support.ts";
import { authorizeUrl, makeVerifier, obtainCode } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser, signIn } from "./browser.ts";

const ANEW: readonly Record<string, string>[] = [{ prompt: "login" }, { max_age: "10" }];

test("an app that requires a fresh sign-in refuses an old one after the clock was moved by a day", async () => {
  for (const step of [-DAY, 0, DAY]) {
    for (const criteria of ANEW) {
      await using server = openTestServer();
      const ada = createSignedInMember(server, "ada");
      const app = makeApp(server, ada);
      const browser = openBrowser(server, ada);
      await obtainCode(server, browser, app, { scope: "openid feed:read" });
      server.clock.pass(MINUTE);
      server.clock.step(step);
      const address = authorizeUrl(server, app, makeVerifier(), { scope: "openid feed:read", ...criteria });
      const { to, page } = await authorize(server, browser, address);
      expect(to).toBeUndefined();

      server.clock.pass(1000);
      signIn(server, browser, ada);
      const { pathname } = new URL(page?.headers.get("location") ?? "", server.core.origin);
      const uid = pathname.split("/").at(-1) ?? "";
      const found = await server.interactions.find(uid, browser.visitorOf(pathname));
      if (found.kind !== "continue") throw new Error(`asked for ${found.kind}`);
      const again = await authorize(server, browser, found.to);
      expect(again.to?.searchParams.get("code")).toBeTruthy();
    }
  }
});
