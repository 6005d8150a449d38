// docs/contract.md#2.11, docs/threats.md#F05: usernames that look like those of staff.
import { expect, test } from "bun:test";
import { importPerson } from "../../src/core/services/imported/imported.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount, makeSetupLink, setUp, signUp } from "../../src/core/identity/accounts/accounts.ts";
import { createBuilder, changeRole } from "../../src/core/identity/accounts/administration.ts";
import { makeInvite } from "../../src/core/identity/accounts/invites.ts";
import { changeUsername, renameAccount } from "../../src/core/identity/accounts/rename.ts";
import {
  apply,
  approveApplication,
  listApplications,
} from "../../src/core/identity/applications/applications.ts";
import { findBuilder } from "../../src/core/identity/builders/builders.ts";
import { lookAlikeKey } from "../../src/core/identity/builders/look-alikes.ts";
import { putCommunitySettings } from "../../src/core/identity/community-settings/community-settings.ts";
import type { Core } from "../../src/core/base/core.ts";
import { DAY } from "../../src/core/base/clock.ts";
import { createTestWorld, signedInNow } from "../support.ts";
import {
  signInOriginAt,
  HOME,
  outcomeOf,
  PASSWORD,
  createSignedInMember,
  refusalOf,
  tokenIn,
} from "./people.ts";

const HOST = "old.example";

function charter(core: Core, settings: Parameters<typeof putCommunitySettings>[1]): void {
  core.db.transact(() => putCommunitySettings(core, settings));
}

/** A community called “Berlin Builders” with klaus as admin, warren as moderator and ada as a member. */
async function community() {
  const world = createTestWorld({ signup: "open" });
  const { core } = world;
  charter(core, { name: "Berlin Builders" });
  await createSignedInMember(core, "klaus", { role: "admin" });
  await createSignedInMember(core, "warren", { role: "moderator" });
  const ada = await createSignedInMember(core, "ada");
  return { world, core, ada };
}

function ways(
  core: Core,
  ada: Awaited<ReturnType<typeof createSignedInMember>>,
): [string, (username: string) => unknown][] {
  const form = (username: string) => ({ username, password: PASSWORD });
  const joining = <Result>(how: "open" | "invite" | "approval", work: () => Result): Result => {
    charter(core, { joining: how });
    return work();
  };
  return [
    ["sign-up", (name) => joining("open", () => signUp(core, HOME, form(name)))],
    [
      "invitation",
      (name) =>
        joining("invite", () => {
          const invite = tokenIn(makeInvite(core, OPERATOR).url);
          return signUp(core, HOME, { ...form(name), invite });
        }),
    ],
    [
      "application",
      (name) => joining("approval", () => apply(core, HOME, { ...form(name), why: "Hi.", language: "en" })),
    ],
    [
      "the operator's or an admin's account",
      (name) => createAccount(core, OPERATOR, { ...form(name), name, role: "member" }),
    ],
    ["rename", (name) => changeUsername(core, signedInNow(core, ada.caller), name)],
    ["rename by the operator", (name) => renameAccount(core, OPERATOR, "ada", name)],
  ];
}

test("refuses a new username that resembles staff, an office or the community, on every path", async () => {
  const { world, core, ada } = await community();
  using _ = world;
  const names =
    "k1aus kiaus k-laus vvarren wa-rren berlin-builders ber1inbui1ders adm1n m0derator 5taff 5upport";

  for (const [way, take] of ways(core, ada))
    for (const name of names.split(" ")) {
      world.clock.pass(DAY);
      expect([way, name, (await refusalOf(() => take(name))).code]).toEqual([
        way,
        name,
        "username_looks_alike",
      ]);
    }
});

test("reserves moderator, staff, support and administrator", async () => {
  const { world, core, ada } = await community();
  using _ = world;

  for (const [way, take] of ways(core, ada))
    for (const name of ["moderator", "staff", "support", "administrator"]) {
      world.clock.pass(DAY);
      expect([way, name, (await refusalOf(() => take(name))).code]).toEqual([way, name, "username_reserved"]);
    }
});

test("allows names that resemble members, suspended staff or former staff", async () => {
  const { world, core } = await community();
  using _ = world;
  setSuspended(core, OPERATOR, "klaus", true);
  changeRole(core, OPERATOR, "warren", "member");
  // One more letter is another name: Ana and Anna are two people.
  await createSignedInMember(core, "anna");
  changeRole(core, OPERATOR, "anna", "moderator");

  for (const username of ["k1aus", "vvarren", "a-da", "berlin", "nicklaus", "ana"])
    expect([
      username,
      await outcomeOf(() => signUp(core, signInOriginAt(username), { username, password: PASSWORD })),
    ]).toEqual([username, "done"]);
});

test("existing accounts keep their username, and may return to a former one", async () => {
  const { world, core, ada } = await community();
  using _ = world;
  await createSignedInMember(core, "nina");
  await createSignedInMember(core, "n1na");
  changeRole(core, OPERATOR, "nina", "moderator");

  renameAccount(core, OPERATOR, "n1na", "nadja");
  renameAccount(core, OPERATOR, "nadja", "n1na");

  expect(findBuilder(core, "n1na")?.username).toBe("n1na");
  expect(await outcomeOf(() => changeUsername(core, signedInNow(core, ada.caller), "ni-na"))).toBe(
    "unprocessable",
  );
  // Staff may take a name similar to their own.
  renameAccount(core, OPERATOR, "nina", "nin-a");
  expect(findBuilder(core, "nin-a")?.role).toBe("moderator");
});

test("an applicant whose name resembles a later staff member can still be approved", async () => {
  const { world, core, ada } = await community();
  using _ = world;
  charter(core, { joining: "approval" });
  await apply(core, HOME, { username: "b0", password: PASSWORD, why: "Hi.", language: "en" });
  createBuilder(core, OPERATOR, { username: "bo", name: "Bo", role: "moderator" });
  changeRole(core, OPERATOR, "ada", "admin");
  const admin = signedInNow(core, ada.caller);
  const [asked] = listApplications(core, { ...admin, role: "admin" }, { limit: 1 }).nodes;

  approveApplication(core, OPERATOR, asked?.id ?? "");

  expect(findBuilder(core, "b0")?.role).toBe("member");
});

test("an import renames an account that resembles staff", async () => {
  const { world, core } = await community();
  using _ = world;

  const { username } = core.db.transact(() =>
    importPerson(core, OPERATOR, HOST, { username: "k1aus", name: "Klaus", bio: "" }),
  );

  expect(username).toBe("k1aus-2");
});

test("the founder may have a username like the community's name", async () => {
  using world = createTestWorld({ policy: { signup: "open", name: "Ada" } });
  const { core } = world;

  await setUp(core, HOME, {
    username: "ada",
    password: PASSWORD,
    token: tokenIn(makeSetupLink(core, OPERATOR)?.url ?? ""),
  });

  expect(findBuilder(core, "ada")?.role).toBe("owner");
});

test("confusable names have the same look-alike key, and different names have different ones", () => {
  const alike = [
    [
      "Klaus Meyer",
      "klaus-meyer",
      "KLAUS  MEYER",
      "Кlаus Меуеr",
      "Klaus\u200bMeyer",
      "Κlaus Mеyеr",
      "Klåus Meyer",
      "K1aus Meyer",
      "Ｋｌａｕｓ Ｍｅｙｅｒ",
      "𝐊𝐥𝐚𝐮𝐬 Meyer",
      "|<laus".replace("|<", "K") + " Meyer",
    ],
    ["Moderna", "Modema", "Mo-derna"],
    ["Łukasz", "Lukasz"],
  ];
  for (const names of alike) expect(new Set(names.map(lookAlikeKey)).size).toBe(1);
  const different = [
    "Ada",
    "Ana",
    "Anna",
    "member-1",
    "member-11",
    "Klaus",
    "Claus",
    "Иван",
    "Ирина",
    "李",
    "王",
    "🌱",
    "🌳",
    "Berlin",
    "Bonn",
  ];
  expect(new Set(different.map(lookAlikeKey)).size).toBe(different.length);
});
