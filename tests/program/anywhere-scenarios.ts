import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

/** Shell script that makes everything except the folder `$1` read-only. */
const READ_ONLY = `
mount --bind "$1" "$1"
awk '$1 !~ /^(proc|sysfs|cgroup)/ { print $2 }' /proc/mounts | while read -r place; do
  case "$place" in "$1" | /proc* | /sys* | /dev/pts) ;; *) mount -o remount,bind,ro "$place" 2>/dev/null ;; esac
done
if touch /tmp/written 2>/dev/null || touch /dev/shm/written 2>/dev/null; then exit 70; fi
`;
/** Shell script that mounts the folder `$1` noexec. */
const NOEXEC = `mount --bind "$1" "$1" && mount -o remount,bind,noexec "$1" || exit 70\n`;

const isRoot = process.getuid?.() === 0;
const canMount =
  isRoot && Bun.which("unshare") !== null && Bun.spawnSync(["unshare", "-m", "true"]).exitCode === 0;

/**
 * Environments in which the binary must start, for everything that its native part could lack
 * (docs/contract.md#12.1).
 */
export function anywhereScenarios(getProgram: () => Program): void {
  const within = (cwd: string, script: string, { name, command }: Program): Program => ({
    name,
    command: ["unshare", "-m", "sh", "-c", `${script}\nshift; cd "$OLD" && exec "$@"`, "sh", cwd, ...command],
  });
  const create = (cwd: string, name: string, program = getProgram(), env: Record<string, string> = {}) =>
    run(program, ["builder", "create", name, "--data", "d"], { cwd, env: { OLD: cwd, ...env } });
  const driverOf = (cwd: string): string[] => {
    const folder = join(cwd, "d/driver");
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  };
  const DONE = { code: 0, stderr: "" };

  test("stores the driver only in the data folder, readable only by its owner", async () => {
    using folder = emptyFolder();
    using temporary = emptyFolder();
    expect(await create(folder.path, "ada", getProgram(), { TMPDIR: temporary.path })).toMatchObject(DONE);
    const [file = "", ...others] = driverOf(folder.path);
    expect(others).toEqual([]);
    const { mode } = statSync(join(folder.path, "d/driver"));
    expect([mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o500]);
    expect(file).toEndWith(
      `/${new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex")}.node`,
    );
    expect(readdirSync(temporary.path)).toEqual([]);
  });

  test("replaces a damaged driver, deletes that of an older version, and keeps an intact one", async () => {
    using folder = emptyFolder();
    await create(folder.path, "ada");
    const [file = ""] = driverOf(folder.path);
    const bytes = readFileSync(file);
    const whole = lstatSync(file).ino;
    await create(folder.path, "bob");
    expect(lstatSync(file).ino).toBe(whole);
    const flipped = Buffer.from(bytes);
    flipped.writeUInt8(flipped.readUInt8(100_000) ^ 1, 100_000);
    const old = join(folder.path, "d/driver/00.node");
    for (const damage of [flipped, bytes.subarray(0, 5000), Buffer.of()]) {
      rmSync(file);
      // The damaged file has the owner and mode that the program uses.
      writeFileSync(file, damage, { mode: 0o500 });
      if (isRoot) chownSync(file, statSync(join(folder.path, "d")).uid, 0);
      writeFileSync(old, "");
      const name = `builder-${damage.length}`;
      expect(await create(folder.path, name)).toMatchObject(DONE);
      expect(driverOf(folder.path)).toEqual([file]);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    }
  });

  test("starts without loading or changing a driver that another user planted", async () => {
    using folder = emptyFolder();
    using elsewhere = emptyFolder();
    await create(folder.path, "ada");
    const location = join(folder.path, "d/driver");
    const [file = ""] = driverOf(folder.path);
    const evil = join(elsewhere.path, "evil.node");
    writeFileSync(evil, "no driver");
    chmodSync(evil, 0o755);
    const planted: Record<string, () => void> = {
      "a link to a folder": () => symlinkSync(elsewhere.path, location),
      "a file": () => writeFileSync(location, "no driver"),
      "a folder in which everybody may write": () => {
        mkdirSync(location);
        symlinkSync(evil, join(location, file.slice(file.lastIndexOf("/") + 1)));
        chmodSync(location, 0o777);
      },
      "a folder of another user": () => {
        mkdirSync(location);
        if (isRoot) chownSync(location, 12_345, 12_345);
      },
    };
    renameSync(location, join(elsewhere.path, "ours"));
    for (const [i, [what, plant]] of Object.entries(planted).entries()) {
      plant();
      const before = lstatSync(location);
      expect([what, await create(folder.path, `builder-${i}`)]).toMatchObject([what, DONE]);
      if (what !== "a folder of another user" || isRoot) expect(lstatSync(location).ino).toBe(before.ino);
      expect(readFileSync(evil, "utf8")).toBe("no driver");
      rmSync(location, { recursive: true });
    }
    expect(readdirSync(elsewhere.path).sort()).toEqual(["evil.node", "ours"]);
  });

  test("programs that start at the same time all find an intact driver", async () => {
    using folder = emptyFolder();
    await create(folder.path, "ada");
    rmSync(join(folder.path, "d/driver"), { recursive: true });
    const names = ["bea", "cy", "dan", "eve", "fay"];
    const ended = await Promise.all(names.map((name) => create(folder.path, name)));
    for (const each of ended) expect(each).toMatchObject(DONE);
    expect(driverOf(folder.path)).toHaveLength(1);
  });

  test.skipIf(!canMount)(
    "serves, delivers and fills a large community on a read-only machine without a temporary folder",
    async () => {
      using folder = emptyFolder();
      const program = within(folder.path, READ_ONLY, getProgram());
      for (const TMPDIR of ["/nonexistent", "/proc", "/tmp"]) {
        rmSync(join(folder.path, "d"), { recursive: true, force: true });
        const size = ["--builders", "30", "--posts", "400", "--jobs", "20", "--prompts", "10"];
        // SQLite falls back to the working folder for its temporary files.
        const options = { cwd: folder.path, env: { OLD: "/", TMPDIR } };
        const data = ["--data", join(folder.path, "d")];
        const filled = await run(program, ["demo", ...size, ...data], options);
        expect(filled).toMatchObject({ code: 0 });
        await using server = await serve(program, { ...options, args: data });
        expect((await fetch(`${server.url}/`)).status).toBe(200);
        const metrics = await (await fetch(`${server.url}/metrics`)).text();
        expect(metrics).toContain("guildhall_delivery_faults 0\n");
        server.signal("SIGTERM");
        expect(await server.exited).toBe(0);
      }
      expect(driverOf(folder.path)).toHaveLength(1);
    },
  );

  test.skipIf(!canMount)(
    "runs with a data folder mounted noexec, as the driver is mapped from memory",
    async () => {
      using folder = emptyFolder();
      const program = within(folder.path, NOEXEC, getProgram());
      const env = { OLD: folder.path, TMPDIR: folder.path };
      expect(await create(folder.path, "ada", program, env)).toMatchObject(DONE);
      await using server = await serve(program, { cwd: folder.path, args: ["--data", "d"], env });
      expect((await fetch(`${server.url}/`)).status).toBe(200);
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
    },
  );

  test.skipIf(!canMount || Bun.which("strace") === null)(
    "prints one line with the cause and the fix where no driver can be mapped",
    async () => {
      using folder = emptyFolder();
      const { name, command } = within(folder.path, NOEXEC, getProgram());
      const denied = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "inject=memfd_create:error=ENOSYS"];
      const env = { OLD: folder.path, TMPDIR: folder.path, BUN_TMPDIR: folder.path };
      const ended = await create(folder.path, "ada", { name, command: [...denied, ...command] }, env);
      expect(ended).toMatchObject({ code: 1, stdout: "" });
      expect(ended.stderr).toMatch(
        /^guildhall: The database driver cannot be loaded \(the data folder: [^\n]*segment[^\n]*; memory: [^\n]*; the temporary folder: [^\n]*\)\. Choose a data folder [^\n]* without noexec\.\n$/,
      );
      expect(readdirSync(join(folder.path, "d"))).toEqual(["driver"]);
    },
  );
}
