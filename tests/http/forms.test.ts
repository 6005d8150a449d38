// Tests docs/contract.md#2.17 for forms (docs/threats.md#B02).
import { expect, test } from "bun:test";
import { FIELDS_MAX } from "../../src/http/body.ts";
import { openTestServer } from "../support.ts";

const SENDS_FORMS = [
  "/sign-in",
  "/sign-up",
  "/v1/oauth/authorize",
  "/v1/oauth/token",
  "/v1/oauth/revoke",
  "/v1/oauth/introspect",
  "/v1/oauth/device",
];

test("refuses a form with more fields than any form of the site before parsing it, on every form route", async () => {
  await using server = openTestServer();
  for (const path of SENDS_FORMS) {
    const send = async (fields: number): Promise<[status: number, text: string]> => {
      const answer = await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", origin: server.url },
        body: Array.from({ length: fields }, (_, i) => `a${i % 10}`).join("&"),
        redirect: "manual",
      });
      return [answer.status, await answer.text()];
    };

    const [[mostStatus, mostText], [moreStatus, moreText]] = [
      await send(FIELDS_MAX),
      await send(FIELDS_MAX + 1),
    ];

    // Pages return 403 to a form without its token. OAuth names the missing parameter.
    const isPage = !path.startsWith("/v1");
    expect([path, mostStatus === 403]).toEqual([path, isPage]);
    expect([path, moreStatus]).toEqual([path, 400]);
    expect([path, mostText.includes("1,000 fields")]).toEqual([path, false]);
    if (!isPage) expect([path, moreText]).toEqual([path, expect.stringContaining("more than 1,000 fields")]);
  }
});
