import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../../src/operate/backup/file-lock.ts";
import { zstdDecompressSync } from "node:zlib";
import { sized } from "../drill.ts";
import { killBackups } from "./backup-kills.ts";
import { emptyFolder, guildhall, LONG_MS, run, serve } from "./programs.ts";

/** docs/contract.md#12.4, docs/threats.md#K09, docs/threats.md#M09 */

function unpack(archive: string, into: string): void {
  mkdirSync(into);
  writeFileSync(join(into, "a.tar"), zstdDecompressSync(readFileSync(archive)));
  expect(Bun.spawnSync(["tar", "xf", "a.tar"], { cwd: into }).exitCode).toBe(0);
}

test(
  "a backup of a running server holds every write answered before it began, and is refused for invalid requests",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    const command = (args: string[], stdin?: string) =>
      run(guildhall, [...args, "--data", "d"], { cwd, ...(stdin === undefined ? {} : { stdin }) });
    await command(["builder", "create", "ada"]);
    const token = (await command(["token", "create", "ada", "--tier", "enterprise"])).stdout.trim();
    await using server = await serve(guildhall, { cwd, args: ["--data", "d"] });
    const acknowledged: string[] = [];
    let isDone = false;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; !isDone; i++) {
        const answer = await fetch(`${server.url}/v1/feed`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ text: `${writer} ${i}`, tags: ["backup"] }),
        });
        if (answer.status === 201) acknowledged.push(((await answer.json()) as { id: string }).id);
      }
    });
    while (acknowledged.length < 50) await Bun.sleep(5);

    mkdirSync(join(cwd, "backups"));
    const before = [...acknowledged];
    const created = await command(["backup", "backups"]);
    isDone = true;
    await Promise.all(writers);
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const path = join(cwd, created.stdout.trim());
    expect(path).toMatch(/\/backups\/guildhall-\d{8}T\d{6}Z\.tar\.zst$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    unpack(path, join(cwd, "u"));
    expect(readdirSync(join(cwd, "u")).sort()).toEqual(["a.tar", "guildhall.db", "manifest.json"]);
    const copy = new Database(join(cwd, "u/guildhall.db"));
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
    const stored = new Set(copy.prepare("SELECT id FROM posts").pluck().all());
    copy.close();
    expect(before.filter((id) => !stored.has(id))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(cwd, "u/manifest.json"), "utf8"));
    expect(manifest.rows.posts).toBe(stored.size);
    expect(manifest.key).toMatch(/^[0-9a-f]{16}$/);

    const key = readFileSync(join(cwd, "d/guildhall.key"), "utf8").trim();
    const sealed = await command(["backup", "--with-key", "--passphrase"], "correct horse\n");
    expect(sealed).toMatchObject({ code: 0, stderr: "" });
    expect(sealed.stdout).toMatch(/^d\/backups\/guildhall-.*\.tar\.zst\.age\n$/);
    const bytes = readFileSync(join(cwd, sealed.stdout.trim()));
    expect(bytes.subarray(0, 21).toString()).toBe("age-encryption.org/v1");
    expect(bytes.includes(key)).toBe(false);

    const listed = readdirSync(join(cwd, "backups"));
    const kept = readdirSync(join(cwd, "d")).sort();
    writeFileSync(join(cwd, "latin"), Buffer.from([0x61, 0xff, 0x0a]));
    symlinkSync("elsewhere", join(cwd, "dangling"));
    for (const [args, code, words] of [
      [["backup", created.stdout.trim()], 1, "already"],
      [["backup", "nowhere/x"], 1, "Create it"],
      [["backup", "--passphrase-file", "nothing"], 2, "Its first line must be the passphrase"],
      [["backup", "--passphrase-file", "latin"], 2, "The first line of latin is not UTF-8"],
      [["backup", ""], 2, "The file name is empty"],
      [["backup", "dangling"], 1, "is a broken symbolic link"],
      [["backup", "d"], 1, "is inside the data folder"],
      [["backup", "d/restore-ready"], 1, "is inside the data folder"],
      [["backup", "d/backups/.copying"], 1, "Choose another name"],
    ] as const) {
      const result = await command([...args]);
      expect([result.code, result.stdout, result.stderr.trim().split("\n").length]).toEqual([code, "", 1]);
      expect(result.stderr).toContain(words);
    }
    // The server may meanwhile store the result of a nightly check.
    const own = readdirSync(join(cwd, "d")).filter((name) => name !== "guildhall.checkup");
    expect(own.sort()).toEqual(kept.filter((name) => name !== "guildhall.checkup"));
    const held = lockFile(join(cwd, "d/backups/.lock"));
    expect(await command(["backup", "backups"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Another backup of d is running"),
    });
    held?.release();

    // During a key rotation no single key opens everything, so no key can be included
    // (docs/contract.md#12.9).
    const database = new Database(join(cwd, "d/guildhall.db"));
    database
      .prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('keys', ?)")
      .run(`${manifest.key} ${"0".repeat(16)}`);
    database.close();
    expect(await command(["backup", "backups", "--with-key"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "guildhall: A key rotation is unfinished. Complete it with `guildhall key rotate`, then back up.\n",
    });
    expect(readdirSync(join(cwd, "backups"))).toEqual(listed);
    const half = await command(["backup", "backups"]);
    expect([half.code, half.stderr]).toEqual([
      0,
      `guildhall: A key rotation is unfinished, so this backup needs two keys, ${manifest.key} and ${"0".repeat(16)}. Keep a copy of both.\n`,
    ]);
  },
  LONG_MS,
);

test(
  "a kill at any point of a backup leaves no partial file with a final name, and the next backup succeeds",
  async () => {
    const { killed, wrongs } = await killBackups(guildhall, sized(1, 20), 2000);
    expect(wrongs).toEqual([]);
    expect(killed).toBeGreaterThan(0);
  },
  LONG_MS,
);

test(
  "a full disk during a backup prints one line, and leaves no partial file",
  async () => {
    using folder = emptyFolder();
    const cwd = folder.path;
    await run(guildhall, ["demo", "--data", "d", "--posts", "2000"], { cwd });
    // `ulimit -f` limits file sizes in blocks of 512 bytes, which acts like a full disk. The database copy
    // itself fits.
    const copy = Math.ceil(statSync(join(cwd, "d/guildhall.db")).size / 512);
    const limited = (blocks: number) => ({
      ...guildhall,
      command: ["sh", "-c", `trap '' XFSZ; ulimit -f ${blocks} && exec "$@"`, "sh", ...guildhall.command],
    });
    mkdirSync(join(cwd, "full"));
    const written = await run(limited(copy / 8), ["backup", "full", "--data", "d"], { cwd });
    expect(written.code).toBe(1);
    expect(written.stderr.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(join(cwd, "full"))).toEqual([]);
    expect(readdirSync(join(cwd, "d/backups"))).toEqual([".lock"]);

    if (!mount(join(cwd, "full"), "300k")) return;
    try {
      const full = await run(guildhall, ["backup", "full", "--data", "d"], { cwd });
      expect([full.code, full.stderr]).toEqual([
        1,
        expect.stringContaining(
          "There is not enough space for the backup in full. The partial file was deleted.",
        ),
      ]);
      expect(readdirSync(join(cwd, "full"))).toEqual([]);
    } finally {
      Bun.spawnSync(["umount", join(cwd, "full")]);
    }
  },
  LONG_MS,
);

/** Mounts a small disk. Returns false if the current user cannot mount. */
function mount(folder: string, size: string): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]).exitCode === 0;
}
