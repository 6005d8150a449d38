// docs/contract.md#12.8 and docs/contract.md#12.9: upgrades and key rotations by command line.
import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keyFingerprint } from "../../src/core/base/sealed-secrets.ts";
import { authority, openReceiver, until } from "../delivery/receiver.ts";
import { sized } from "../drill.ts";
import { fillCommunity, killMigrations, killRotations } from "./change-kills.ts";
import { emptyFolder, guildhall, LONG_MS, run, serve } from "./programs.ts";

const hexOf = (file: string): string => readFileSync(file, "utf8").trim();
const printOf = (file: string): string => keyFingerprint(Buffer.from(hexOf(file), "hex"));

test(
  "a key is rotated beside a server without interruption, and the old key opens nothing new",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    const tool = (args: string[], env = {}) => run(guildhall, [...args, "--data", "d"], { cwd, env });
    fillCommunity(join(cwd, "d"), sized(1500, 100_000));
    await tool(["builder", "create", "ada"]);
    const token = (await tool(["token", "create", "ada", "--tier", "enterprise"])).stdout.trim();
    await using receiver = await openReceiver();
    writeFileSync(join(cwd, "ca.pem"), (await authority()).pem);
    const env = { GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8", GUILDHALL_WEBHOOK_CA: "ca.pem" };
    const file = join(cwd, "d/guildhall.key");
    const first = hexOf(file);
    let second = "";
    {
      await using server = await serve(guildhall, { cwd, args: ["--data", "d"], env });
      const post = async (path: string, body: unknown, key?: string) => {
        const answer = await fetch(`${server.url}/v1${path}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token}`,
            "content-type": "application/json",
            ...(key === undefined ? {} : { "idempotency-key": key }),
          },
          body: JSON.stringify(body),
        });
        return {
          status: answer.status,
          isReplayed: answer.headers.get("idempotency-replayed") === "true",
          body: (await answer.json()) as { id: string; secret: string },
        };
      };
      const endpoint = { url: `https://127.0.0.1:${receiver.port}/`, events: ["post.created"] };
      const { secret } = (await post("/webhooks", endpoint)).body;
      const before = await post("/feed", { text: "before" }, "before");

      let isDone = false;
      let longestMs = 0;
      const sent: { key: string; text: string; id: string }[] = [];
      const writing = (async () => {
        for (let i = 0; !isDone || i < 20; i++) {
          const [key, text] = [`k${i}`, `meanwhile ${i}`];
          const from = performance.now();
          const { status, body } = await post("/feed", { text }, key);
          longestMs = Math.max(longestMs, performance.now() - from);
          expect(status).toBe(201);
          sent.push({ key, text, id: body.id });
          await Bun.sleep(5);
        }
      })();
      await until(() => sent.length >= 3);
      const rotated = await tool(["key", "rotate"]);
      isDone = true;
      await writing;
      expect(rotated).toMatchObject({ code: 0, stderr: "" });
      expect(rotated.stdout).toMatch(
        /^sealed \d+ secrets with the new key [0-9a-f]{16}\n.*guildhall\.key\.old-\S+; older backups/,
      );
      if (longestMs > 0 && Bun.env["GUILDHALL_DRILL"] === "1")
        console.log(
          `${rotated.stdout}the longest of ${sent.length} writes beside it took ${longestMs.toFixed(0)} ms`,
        );
      second = hexOf(file);
      expect(second).not.toBe(first);
      expect(readdirSync(join(cwd, "d")).filter((name) => /\.(?:next|former)$|rotation/.test(name))).toEqual(
        [],
      );

      // Stored responses are repeated unchanged, and every delivery has a valid signature.
      expect(await post("/feed", { text: "before" }, "before")).toMatchObject({
        isReplayed: true,
        body: before.body,
      });
      for (const { key, text, id } of [sent[0], sent.at(-1)].flatMap((each) => each ?? []))
        expect(await post("/feed", { text }, key)).toMatchObject({ isReplayed: true, body: { id } });
      await until(() => receiver.received.length >= sent.length + 1);
      for (const { body, headers } of receiver.received)
        expect(headers["x-service-signature"]).toContain(
          createHmac("sha256", secret).update(body).digest("hex"),
        );
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(server.output()).not.toContain('"level":50');
    }

    // The old key is kept for old backups. The new key alone opens everything.
    const [old = ""] = readdirSync(join(cwd, "d")).filter((name) => name.includes(".key.old-"));
    expect(hexOf(join(cwd, "d", old))).toBe(first);
    renameSync(join(cwd, "d", old), join(cwd, old));
    const checked = await tool(["key", "check", "--all"]);
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(checked.stdout).toContain(`fingerprint  ${printOf(file)}\n`);
    expect(checked.stdout).toMatch(/mode 0600, user \d+\n/);
    for (const [, opened, all] of checked.stdout.matchAll(/^ *(\d+) {2}of (\d+) in \S+ open$/gm))
      expect(opened).toBe(all);

    // The check names the key that a database from before the rotation needs.
    writeFileSync(file, `${first}\n`);
    expect(await tool(["key", "check"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not the key"),
    });
    writeFileSync(join(cwd, "d/guildhall.key.old-1"), `${second}\n`);
    expect((await tool(["key", "check"])).stderr).toContain(
      "The right key is d/guildhall.key.old-1, kept from before a rotation.",
    );
  },
  LONG_MS,
);

test(
  "a key from the environment or a credential is rotated too, without writing it to a file",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    const tool = (args: string[], env = {}) => run(guildhall, [...args, "--data", "d"], { cwd, env });
    const [key, other] = ["ab".repeat(32), "cd".repeat(32)];
    const env = { GUILDHALL_KEY: key };
    expect((await tool(["builder", "create", "ada"], env)).code).toBe(0);
    expect(readdirSync(join(cwd, "d")).filter((name) => name.includes("key"))).toEqual([]);
    expect((await tool(["key", "check"], env)).stdout).toMatch(/key +GUILDHALL_KEY\nreadable +environment/);
    expect(await tool(["key", "check"], { GUILDHALL_KEY: other })).toMatchObject({ code: 1 });
    expect(await tool(["key", "check"], { ...env, GUILDHALL_KEY_FILE: "k" })).toMatchObject({ code: 2 });
    expect((await tool(["key", "check"], { GUILDHALL_KEY: "0123" })).stderr).not.toContain("0123 ");
    const example = await tool(["key", "check"], { GUILDHALL_KEY: "0123456789abcdef".repeat(4) });
    expect(example).toMatchObject({ code: 1, stderr: expect.stringContaining("the public example") });

    mkdirSync(join(cwd, "c"));
    writeFileSync(join(cwd, "c/guildhall.key"), `${key}\n`);
    const credential = { CREDENTIALS_DIRECTORY: "c" };
    expect((await tool(["key", "check"], credential)).stdout).toStartWith("key          c/guildhall.key\n");
    const rotated = await tool(["key", "rotate"], credential);
    expect(rotated.stdout).toContain("copy d/guildhall.key.next to where c/guildhall.key gets the key from");
    expect(hexOf(join(cwd, "c/guildhall.key"))).toBe(key);
    // Until the operator installs the new key, the pending key file opens everything and another rotation is
    // refused.
    expect((await tool(["key", "check"], credential)).stdout).toContain("still holds the old key");
    expect(await tool(["key", "rotate"], credential)).toMatchObject({ code: 1 });
    renameSync(join(cwd, "d/guildhall.key.next"), join(cwd, "c/guildhall.key"));
    expect((await tool(["key", "check", "--all"], credential)).code).toBe(0);
    // After a leak, former keys and their signatures are dropped.
    expect((await tool(["key", "rotate", "--leaked"], credential)).code).toBe(0);
    expect((await tool(["key", "check"], credential)).stdout).toContain(
      "0  of 0 in former_keys.sealed can be opened",
    );
    renameSync(join(cwd, "d/guildhall.key.next"), join(cwd, "c/guildhall.key"));
    expect(existsSync(join(cwd, "d/guildhall.key"))).toBe(false);
    rmSync(join(cwd, "c/guildhall.key"));
    expect((await tool(["key", "check"], credential)).stderr).toContain(
      "key file d/guildhall.key is missing",
    );
  },
  LONG_MS,
);

test(
  "a kill at any point of an upgrade leaves the old or the new database, and the next run completes it",
  async () => {
    const { killed, wrongs } = await killMigrations(guildhall, sized(2, 20));
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);

test(
  "everything opens after a kill at any point of a key rotation, and the next run completes it",
  async () => {
    const { killed, wrongs } = await killRotations(guildhall, sized(2, 20), undefined, sized(3000, 20_000));
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);
