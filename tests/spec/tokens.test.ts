import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { recordTokenUses } from "../../src/core/access/access.ts";
import { isWellFormedToken, makeToken, TOKEN_PATTERN } from "../../src/core/access/token-format.ts";
import { moveIn, openHouse } from "../support.ts";
import { call } from "./client.ts";
import { spyOnDatabase } from "./rows.ts";

test("CONTRACT a token with a wrong checksum is refused without asking the database", async () => {
  await using house = openHouse();
  const { token } = moveIn(house.core, "ada");
  const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const asked = spyOnDatabase(house.core);
  for (let at = "guild_pat_".length; at < token.length; at++) {
    const letter = letters[(letters.indexOf(token[at] ?? "") + 1) % letters.length];
    const mistyped = token.slice(0, at) + letter + token.slice(at + 1);
    expect(isWellFormedToken(mistyped)).toBe(false);
    expect((await call(house, mistyped, "GET /profiles/me")).status).toBe(401);
  }
  expect(asked).toEqual([]);
  expect((await call(house, token, "GET /profiles/me")).status).toBe(200);
  expect(asked).not.toEqual([]);
});

test("CONTRACT a token has a fixed form, which one pattern finds in any text", () => {
  const random = { bytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)) };
  const every = new RegExp(TOKEN_PATTERN, "g");
  for (let i = 0; i < 200; i++) {
    const token = makeToken(random);
    expect(token).toMatch(/^guild_pat_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/);
    expect(isWellFormedToken(token)).toBe(true);
    for (const text of [
      token,
      `TOKEN=${token}\n`,
      `{"t":"${token}"}`,
      `Bearer ${token}, x`,
      `a/${token}?b`,
      `-H '${token}'`,
    ]) {
      expect(text.match(every)).toEqual([token]);
    }
  }
  for (const text of [
    "guild_pat_…",
    "guild_pat_short",
    "guild_pat_".padEnd(60, "x"),
    `guild_pat_${"-".repeat(38)}`,
  ]) {
    expect(text.match(every)).toBeNull();
    expect(isWellFormedToken(text)).toBe(false);
  }
  expect(isWellFormedToken(`${makeToken(random)}\n`)).toBe(false);
});

test("CONTRACT no token and no signing secret is in the database or in the log", async () => {
  await using house = openHouse();
  const secrets: string[] = [];
  for (const name of ["ada", "bo"]) {
    const { token } = moveIn(house.core, name);
    const headers = { "idempotency-key": `key-of-${name}` };
    const body = { url: "https://hooks.example.com/in", events: ["post.created"] };
    const endpoint = await call(house, token, "POST /webhooks", { body, headers });
    await call(house, token, "POST /webhooks", { body, headers });
    await call(house, token, "POST /feed", { body: { text: "used" }, headers });
    await call(house, `${token}x`, "GET /profiles/me");
    secrets.push(token, endpoint.body.secret);
  }
  await recordTokenUses(house.core);
  expect(secrets).toHaveLength(4);
  const files = readdirSync(house.folder).map((name) => readFileSync(join(house.folder, name)));
  files.push(Buffer.from(house.logged.join("\n")));
  const bytes = Buffer.concat(files);
  expect(bytes.includes("hooks.example.com")).toBe(true);
  for (const secret of secrets) {
    const bare = secret.replace(/^(guild_pat_|whsec_)/, "");
    const forms = [
      bare,
      bare.slice(0, 20),
      Buffer.from(secret).toString("base64").slice(4, 40),
      Buffer.from(secret).toString("hex"),
    ];
    for (const form of forms) expect(bytes.includes(form)).toBe(false);
    if (secret.startsWith("whsec_")) expect(bytes.includes(Buffer.from(bare, "base64"))).toBe(false);
  }
});
