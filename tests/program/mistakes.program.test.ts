// docs/contract.md#12.16: an operator's mistake ends with one line and an exit code, and never waits forever.
import { expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { emptyFolder, environment, fromSource, guildhall, LONG_MS, run } from "./programs.ts";
import { writeDataFolder, RELEASES } from "./releases.ts";

setDefaultTimeout(LONG_MS);

type Mistake = [args: string, code: 1 | 2, says: RegExp, env?: Record<string, string>];

const TLS = { GUILDHALL_ORIGIN: "https://a.example" };

/**
 * These commands run in a folder with a community in `good`, its backup `good.bak`, a file, a folder and a
 * named pipe without a writer.
 */
const MISTAKES: readonly Mistake[] = [
  ["serve --data file", 1, /file is not a folder\. Choose another/],
  ["serve --data file/x", 1, /data folder file\/x cannot be created \(ENOTDIR\)/],
  ["serve --data /sys/guildhall", 1, /data folder \/sys\/guildhall cannot be created/],
  ["serve --data /dev/null", 1, /\/dev\/null is not a folder/],
  ["builder invite --data file", 1, /file is not a folder/],
  ["migrate --data file", 1, /file is not a folder/],
  ["serve --data new --port PORT", 1, /The port is in use/],
  ["serve --data new --host 203.0.113.1", 1, /does not have that address/],
  ["serve --data db-folder", 1, /guildhall\.db is a folder, but Guildhall needs a file/],
  ["serve --data db-pipe", 1, /guildhall\.db is a pipe, but Guildhall needs a file/],
  ["serve --data lock-folder", 1, /guildhall\.lock is a folder, but Guildhall needs a file/],
  ["builder invite --data wal-folder", 1, /guildhall\.db-wal is a folder, but Guildhall needs a file/],
  ["serve --data key-folder", 1, /The key file key-folder\/guildhall\.key cannot be read \(a folder\)/],
  ["serve --data older", 1, /failed at \d{4}_\w+: .* already exists\. The database is unchanged/],
  ["settings --settings pipe", 2, /settings file pipe cannot be read \(a pipe\)/],
  ["settings --settings folder", 2, /settings file folder cannot be read \(a folder\)/],
  ["serve --data new --settings /dev/zero", 2, /settings file \/dev\/zero cannot be read \(a device\)/],
  ["settings --settings file/x", 2, /settings file file\/x cannot be read \(ENOTDIR\)/],
  [
    "serve --data new",
    1,
    /The key file folder cannot be read \(a folder\)/,
    { GUILDHALL_KEY_FILE: "folder" },
  ],
  [
    "serve --data new",
    1,
    /The folder \S+\/file for the key file does not exist/,
    { GUILDHALL_KEY_FILE: "file/x" },
  ],
  ["key check --data good", 1, /The key file pipe cannot be read \(a pipe\)/, { GUILDHALL_KEY_FILE: "pipe" }],
  [
    "serve --data new",
    1,
    /This user cannot read the certificate file pipe \(a pipe\)/,
    { ...TLS, GUILDHALL_TLS_CERT: "pipe", GUILDHALL_TLS_KEY: "pipe" },
  ],
  ["serve --data new", 2, /GUILDHALL_WEBHOOK_CA is "pipe", which/, { GUILDHALL_WEBHOOK_CA: "pipe" }],
  ["serve --data new", 2, /DOCUMENTS is "pipe", which/, { GUILDHALL_GRAPHQL_DOCUMENTS: "pipe" }],
  ["backup pipe --data good", 1, /pipe already exists/],
  ["backup file/x --data good", 1, /The folder \S+\/file does not exist\. Create it/],
  ["backup new.bak --data good --passphrase-file pipe", 2, /pipe cannot be read \(a pipe\)/],
  ["backup --data backups-file", 1, /backups is a file, but Guildhall needs a folder/],
  [
    "backup --scheduled --data good",
    1,
    /The backup folder \S+\/file does not exist/,
    { GUILDHALL_BACKUP: "HERE/file" },
  ],
  ["restore pipe --data new", 1, /The backup pipe cannot be read \(a pipe\)/],
  ["restore folder --verify --data new", 1, /The backup folder cannot be read \(a folder\)/],
  ["restore good.bak --data file", 1, /data folder file cannot be created/],
  ["export file --data good", 1, /file cannot be written \(EEXIST\)/],
  ["import pipe --data new", 1, /pipe\/manifest\.json cannot be read/],
  ["import --forem pipe --data good", 1, /pipe is not a file/],
  ["job publish --file pipe --data good", 2, /pipe cannot be read \(a pipe\)/],
  [
    "listen --forward http://127.0.0.1:1 --state pipe",
    1,
    /pipe is not a state file/,
    { GUILDHALL_TOKEN: "guild_pat_x" },
  ],
];

/** Long enough for a busy machine. */
const WITHIN_MS = 45_000;

test("an operator's mistake prints one line and a code, creates nothing and never waits for a pipe", async () => {
  using folder = emptyFolder();
  const cwd = folder.path;
  using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  await layTraps(cwd);
  const commands = MISTAKES.map(([typed, , , env = {}]) => ({
    typed: `${typed.replace("PORT", String(taken.port))}${/^serve(?!.*--port)/.test(typed) ? " --port 0" : ""}`,
    env: Object.fromEntries(Object.entries(env).map(([name, text]) => [name, text.replace("HERE", cwd)])),
  }));
  const child = Bun.spawn([...fromSource.command.slice(0, -1), join(import.meta.dir, "mistaken.ts")], {
    cwd,
    env: environment({}),
    stdin: new Blob([commands.map((each) => JSON.stringify(each)).join("\n")]),
    stdout: "pipe",
    stderr: "inherit",
    timeout: WITHIN_MS,
    killSignal: "SIGKILL",
  });
  const outputs = (await new Response(child.stdout).text())
    .trim()
    .split("\n")
    // Skips lines that servers log before they end.
    .filter((line) => line.startsWith('{"typed"'))
    .map((line) => JSON.parse(line) as { typed: string; code: number | string; stderr: string });
  // The first missing result belongs to the command that waits.
  expect(outputs.map(({ typed }) => typed)).toEqual(commands.map(({ typed }) => typed));
  const wrong = outputs.filter(({ code, stderr }, at) => {
    const [, wanted, says] = MISTAKES[at] ?? [];
    return code !== wanted || !says?.test(stderr) || !/^guildhall: [^\n]+\n$/.test(stderr);
  });
  expect(wrong).toEqual([]);
  expect(existsSync(join(cwd, "new"))).toBe(false);
});

test("output to a full disk fails with one line, and a closed pipe is no error", async () => {
  using folder = emptyFolder();
  const to = async (script: string) => {
    const child = Bun.spawn(["bash", "-c", script.replace("GUILDHALL", guildhall.command.join(" "))], {
      cwd: folder.path,
      env: environment({}),
      stderr: "pipe",
      stdout: "ignore",
    });
    return [await child.exited, await new Response(child.stderr).text()];
  };
  expect(await to("GUILDHALL settings > /dev/full")).toEqual([
    1,
    "guildhall: The output cannot be written (ENOSPC).\n",
  ]);
  expect(await to("GUILDHALL openapi | head -c 10; exit ${PIPESTATUS[0]}")).toEqual([0, ""]);
});

test("reads a pipe that the shell passes as a file", async () => {
  using folder = emptyFolder();
  const child = Bun.spawn(
    ["bash", "-c", `${guildhall.command.join(" ")} job publish --file <(echo nonsense) --data d`],
    { cwd: folder.path, env: environment({}), stderr: "pipe", stdout: "ignore" },
  );
  expect(await new Response(child.stderr).text()).toMatch(
    /^guildhall: \/dev\/fd\/\d+ is not valid JSON\.\n$/,
  );
});

async function layTraps(cwd: string): Promise<void> {
  const at = (...names: string[]): string => join(cwd, ...names);
  writeFileSync(at("file"), "x");
  mkdirSync(at("folder"));
  makePipe(at("pipe"));
  await run(guildhall, ["builder", "create", "ada", "--data", "good"], { cwd });
  await run(guildhall, ["backup", "good.bak", "--data", "good"], { cwd });
  rmSync(at("good", "backups"), { recursive: true });
  const trap = (name: string, file: string, lay: (path: string) => void): void => {
    cpSync(at("good"), at(name), { recursive: true });
    rmSync(at(name, file), { force: true });
    lay(at(name, file));
  };
  trap("db-folder", "guildhall.db", mkdirSync);
  trap("db-pipe", "guildhall.db", makePipe);
  trap("lock-folder", "guildhall.lock", mkdirSync);
  trap("wal-folder", "guildhall.db-wal", mkdirSync);
  trap("key-folder", "guildhall.key", mkdirSync);
  trap("backups-file", "backups", (path) => writeFileSync(path, "x"));
  const [oldest] = RELEASES;
  if (!oldest) throw new Error("no release");
  writeDataFolder(oldest, at("older"));
  const older = new Database(at("older", "guildhall.db"));
  older.exec("CREATE TABLE recoveries (in_the_way TEXT) STRICT");
  older.close();
  chmodSync(at("older"), 0o700);
}

function makePipe(path: string): void {
  if (Bun.spawnSync(["mkfifo", path]).exitCode !== 0) throw new Error("no pipe can be made");
}
