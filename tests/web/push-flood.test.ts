// Tests docs/contract.md#12.19: limits of the browsers that one session registers.
import { expect, test } from "bun:test";
import { MINUTE } from "../../src/core/base/clock.ts";
import { makeBrowser } from "../delivery/push-service.ts";
import { createAccountOf, openSite, signedInAs, tokenOf, type Site } from "./support.ts";

type Visitor = ReturnType<typeof signedInAs>;

async function register(visitor: Visitor, form_token: string, path: string) {
  const endpoint = `https://push.example.com/${path}`;
  return await visitor.post("/settings/browsers", { form_token, endpoint, ...makeBrowser().keys });
}

const endpointsOf = (site: Site): unknown[] =>
  site.core.db
    .prepare<{ endpoint: string }>("SELECT endpoint FROM push_subscriptions ORDER BY id")
    .all()
    .map(({ endpoint }) => endpoint.split("/").at(-1));

test("of 120 browsers that a session registers only the newest is kept, most get 429, and other browsers remain", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const laptop = signedInAs(site, "ada");
  const laptopToken = tokenOf(await laptop.open("/settings/browsers"));
  expect((await register(laptop, laptopToken, "laptop")).status).toBe(303);
  const phone = signedInAs(site, "ada");
  const token = tokenOf(await phone.open("/settings/browsers"));
  site.clock.pass(6 * MINUTE);

  const answers = [];
  for (let n = 0; n < 120; n++) {
    // Each request advances the clock by a second. In one second, less than one slot of the limit refills.
    answers.push(await register(phone, token, `phone-${n}`));
  }

  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(110);
  expect(endpointsOf(site)).toEqual(["laptop", "phone-9"]);
  const seconds = Number(answers.at(-1)?.headers.get("retry-after"));
  expect(seconds).toBeWithin(1, 6 * 60 + 1);
  site.clock.pass(seconds * 1000);
  expect((await register(phone, token, "later")).status).toBe(303);
  expect(endpointsOf(site)).toEqual(["laptop", "later"]);
});
