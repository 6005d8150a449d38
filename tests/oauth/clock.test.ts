import { expect, test } from "bun:test";
import { DAY, MINUTE } from "../../src/core/base/clock.ts";
import { openTestServer } from "../support.ts";
import { authorizeUrl, makeVerifier, obtainCode } from "./app-client.ts";
import { authorize, makeApp, createSignedInMember, openBrowser, signIn } from "./browser.ts";

const ANEW: readonly Record<string, string>[] = [{ prompt: "login" }, { max_age: "10" }];

test("an app that requires a fresh sign-in refuses an old one after the clock was moved by a day", async () => {
  for (const step of [-DAY, 0, DAY]) {
    for (const wish of ANEW) {
      await using house = openTestServer();
      const ada = createSignedInMember(house, "ada");
      const app = makeApp(house, ada);
      const browser = openBrowser(house, ada);
      await obtainCode(house, browser, app, { scope: "openid feed:read" });
      house.clock.pass(MINUTE);
      house.clock.step(step);
      const address = authorizeUrl(house, app, makeVerifier(), { scope: "openid feed:read", ...wish });
      const { to, page } = await authorize(house, browser, address);
      expect(to).toBeUndefined();

      house.clock.pass(1000);
      signIn(house, browser, ada);
      const { pathname } = new URL(page?.headers.get("location") ?? "", house.core.origin);
      const uid = pathname.split("/").at(-1) ?? "";
      const found = await house.interactions.find(uid, browser.visitorOf(pathname));
      if (found.kind !== "continue") throw new Error(`asked for ${found.kind}`);
      const again = await authorize(house, browser, found.to);
      expect(again.to?.searchParams.get("code")).toBeTruthy();
    }
  }
});
