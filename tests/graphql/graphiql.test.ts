import { expect, test } from "bun:test";
import { hasChromium, launch, REPORT_VIOLATIONS } from "../browser.ts";
import { createPost } from "../../src/core/feed/feed.ts";
import { moveIn, openHouse } from "../support.ts";

test.skipIf(!hasChromium)(
  "a person opens /graphql, puts a token into the headers and sees an answer; nothing is loaded from elsewhere",
  async () => {
    await using house = openHouse();
    const { token, caller } = moveIn(house.core, "ada");
    createPost(house.core, caller, { text: "seen in the browser" });
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const elsewhere: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => {
        const url = request.url();
        if (!url.startsWith(house.url) && !/^(?:data|blob):/.test(url)) elsewhere.push(url);
      });
      page.on("console", (message) => {
        if (message.type() === "error" && message.text().startsWith("policy"))
          complaints.push(message.text());
      });
      await page.addInitScript(REPORT_VIOLATIONS);
      await page.goto(`${house.url}/graphql`);
      await page.getByRole("button", { name: /^Execute query/ }).waitFor();
      await page.getByRole("button", { name: "Headers" }).click();
      // The third editor, after those of the document and its variables.
      await page.locator(".graphiql-editor .view-lines").nth(2).click();
      // There «Bearer » waits for its token, in the second line before the closing quote.
      for (const key of ["ControlOrMeta+Home", "ArrowDown", "End", "ArrowLeft"])
        await page.keyboard.press(key);
      await page.keyboard.insertText(token);
      const answered = page.waitForResponse(
        async (answer) =>
          answer.request().method() === "POST" && (await answer.text()).includes("seen in the browser"),
      );
      await page.getByRole("button", { name: /^Execute query/ }).click();
      expect((await answered).status()).toBe(200);
      expect(elsewhere).toEqual([]);
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
  120_000,
);

test("the page is one answer, allowed to run just its own script, in no frame and with no cookie", async () => {
  await using house = openHouse();
  const answer = await fetch(`${house.url}/graphql`, { headers: { accept: "text/html" } });
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'sha256-[A-Za-z0-9+/=]{44}'/);
  expect(policy).not.toContain("unsafe-eval");
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  expect(answer.headers.get("x-frame-options")).toBe("DENY");
  expect(answer.headers.get("set-cookie")).toBeNull();
  const page = await answer.text();
  expect(page).not.toMatch(/(?:src|href)="https?:/);
});
