import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packDeb } from "../../scripts/deb.ts";
import { run } from "../../scripts/run.ts";
import { type Absent, bookworm, caged, missing } from "./bookworm.ts";
import { copyBinary, emptyFolder, run as runProgram, serve } from "./programs.ts";

/**
 * Builds the Debian package, then installs, runs, reinstalls, removes and purges it in a minimal Debian. The
 * program runs as its unit says, as the package's user (docs/threats.md#M13).
 */
export async function debDrill(): Promise<{ wrongs: string[] } | Absent> {
  const lacks = missing("debootstrap", "dpkg-deb", "unshare", "setpriv");
  if (lacks) return lacks;
  const debian = await bookworm();
  if (typeof debian !== "string") return debian;
  const buildFolder = mkdtempSync(join(tmpdir(), "guildhall-deb-"));
  const root = join(buildFolder, "root");
  const wrongs: string[] = [];
  const expect = (label: string, holds: boolean, detail: unknown = ""): void => {
    if (!holds) wrongs.push(`${label}: ${JSON.stringify(detail)}`);
  };
  try {
    await run(buildFolder, ["cp", "--archive", debian, root]);
    await copyBinary(buildFolder);
    const arch = process.arch === "arm64" ? "arm64" : "amd64";
    const deb = basename(
      await packDeb(join(buildFolder, "guildhall"), {
        arch,
        version: manifest.version,
        out: join(root, "opt"),
      }),
    );
    const dpkg = (...args: string[]) => run(buildFolder, ["chroot", root, "dpkg", ...args], { LC_ALL: "C" });
    await dpkg("--install", `/opt/${deb}`);
    for (const name of ["guildhall-follow-engine", "guildhall-replicate"]) {
      const unit = join(root, `usr/lib/systemd/system/${name}.service`);
      const [, started = ""] = /^ExecStart=(\S+)/m.exec(readFileSync(unit, "utf8")) ?? [];
      expect(`${name} starts what is there`, existsSync(join(root, started)), started);
    }
    await life(root, expect);
    await dpkg("--install", `/opt/${deb}`);
    mkdirSync(join(root, "etc/guildhall"));
    mkdirSync(join(root, "var/lib/guildhall"));
    await dpkg("--remove", "guildhall");
    expect("the program is gone", !existsSync(join(root, "usr/bin/guildhall")));
    expect("settings stay until a purge", existsSync(join(root, "etc/guildhall")));
    const purged = await dpkg("--purge", "guildhall");
    expect("settings are gone with a purge", !existsSync(join(root, "etc/guildhall")));
    expect(
      "the data is still, and that is told",
      existsSync(join(root, "var/lib/guildhall")) && /data is still/.test(purged),
      purged,
    );
    return { wrongs };
  } finally {
    rmSync(buildFolder, { recursive: true, force: true });
  }
}

async function life(
  root: string,
  expect: (label: string, holds: boolean, detail?: unknown) => void,
): Promise<void> {
  const unit = readFileSync(join(root, "usr/lib/systemd/system/guildhall.service"), "utf8");
  const [program = "", ...args] = (/^ExecStart=(.*)$/m.exec(unit)?.[1] ?? "").split(" ");
  const [, name = ""] = /^User=(.*)$/m.exec(unit) ?? [];
  const [, , uid = "", gid = ""] =
    readFileSync(join(root, "etc/passwd"), "utf8")
      .split("\n")
      .find((line) => line.startsWith(`${name}:`))
      ?.split(":") ?? [];
  expect("the package brings the user of its unit", Number(uid) > 0, uid);
  using folder = emptyFolder();
  chownSync(folder.path, Number(uid), Number(gid));
  mkdirSync(join(root, "var/lib/guildhall"), { recursive: true });
  const cage = {
    root,
    writable: { "/var/lib/guildhall": folder.path },
    user: `${uid}:${gid}`,
    env: ["HOME=/"],
  };
  const command = (...args: string[]) => ({ name: "deb", command: caged(cage, args) });
  const version = await runProgram(command(program), ["--version"], { cwd: root });
  expect("it says its version", version.code === 0, version);
  {
    await using server = await serve(command(program), { cwd: root, args: args.slice(1) });
    const page = await fetch(server.url);
    expect("it serves its page", page.status === 200, page.status);
    const healthy = await runProgram(command(program), ["health", "--data", "/var/lib/guildhall"], {
      cwd: root,
    });
    expect("it is well", healthy.code === 0, healthy);
    server.signal("SIGTERM");
    expect("it stops by a signal", (await server.exited) === 0);
  }
  rmSync(join(root, "var/lib/guildhall"), { recursive: true });
}
