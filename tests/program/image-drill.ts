import {
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/run.ts";
import manifest from "../../package.json" with { type: "json" };
import { type Absent, bookworm, type Cage, caged, missing } from "./bookworm.ts";
import { emptyFolder, run as runProgram, serve } from "./programs.ts";

const ROOT = join(import.meta.dir, "../..");

interface Image {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Volumes: Record<string, unknown>;
  Labels: Record<string, string>;
  StopSignal: string;
  Healthcheck: { Test: string[] };
}

interface Service {
  read_only: boolean;
  cap_drop: string[];
  security_opt: string[];
  volumes: string[];
  environment: Record<string, string>;
}

export interface ImageReport {
  /** Size of all layers, and of the layers above the base. */
  megabytes: number;
  ownMegabytes: number;
  wrongs: string[];
}

/**
 * Builds the image by its Dockerfile and runs it as README.md (`docker run --read-only`) and compose.yaml
 * say. The root is read-only, the user is unprivileged, and the data is in a volume (docs/threats.md#M13).
 * Uses no image registry: both base images are minimal Debians from debootstrap, one with this Bun. buildah
 * builds the image. A chroot with the image's own settings runs it, because container engines need more of a
 * machine.
 */
export async function imageDrill(): Promise<ImageReport | Absent> {
  const lacks = missing("buildah", "debootstrap", "unshare", "setpriv");
  if (lacks) return lacks;
  const debian = await bookworm();
  if (typeof debian !== "string") return debian;
  const buildFolder = mkdtempSync(join(tmpdir(), "guildhall-image-"));
  const store = [
    "--root",
    join(buildFolder, "store"),
    "--runroot",
    join(buildFolder, "run"),
    "--storage-driver",
    "vfs",
  ];
  const buildah = async (...args: string[]): Promise<string> =>
    (await run(ROOT, ["buildah", ...store, ...args], { BUILDAH_ISOLATION: "chroot" })).trim();
  try {
    for (const name of basesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8")))
      await fakeProgram(name, debian, buildah);
    // The pinned digest belongs to the real base image, which the drill replaces.
    const dockerfile = join(buildFolder, "Dockerfile");
    writeFileSync(dockerfile, readFileSync(join(ROOT, "Dockerfile"), "utf8").replace(/@sha256:\w+/g, ""));
    const built = await buildah(
      "build",
      "--format",
      "docker",
      "--pull-never",
      "--file",
      dockerfile,
      "--tag",
      "guildhall",
      ROOT,
    ).catch((error: unknown) => {
      if (NO_PACKAGES.test(String(error))) return undefined;
      throw error;
    });
    if (built === undefined) return { absent: "no packages can be downloaded inside of a build here" };
    const image = JSON.parse(await buildah("inspect", "--type", "image", "guildhall")) as {
      Docker: { config: Image };
    };
    const container = await buildah("from", "--pull-never", "guildhall");
    const root = await buildah("mount", container);
    const service = (
      Bun.YAML.parse(readFileSync(join(ROOT, "compose.yaml"), "utf8")) as { services: { guildhall: Service } }
    ).services.guildhall;
    const wrongs = [...wrongsOf(image.Docker.config, service), ...(await life(root, image.Docker.config))];
    const [all, base] = [bytesOf(root), bytesOf(debian)];
    return { megabytes: Math.round(all / 1e6), ownMegabytes: Math.round((all - base) / 1e6), wrongs };
  } finally {
    await buildah("rm", "--all").catch(() => "");
    rmSync(buildFolder, { recursive: true, force: true });
  }
}

/** Errors of `bun install` if no registry is reachable or trusted. */
const NO_PACKAGES = /error: \w+ downloading (?:tarball|package manifest)/;

const basesOf = (dockerfile: string): string[] =>
  [...dockerfile.matchAll(/^FROM ([^\s@]+)/gm)].map(([, name = ""]) => name);

async function fakeProgram(
  name: string,
  debian: string,
  buildah: (...args: string[]) => Promise<string>,
): Promise<void> {
  const container = await buildah("from", "scratch");
  await buildah("copy", "--quiet", container, debian, "/");
  if (name.includes("/bun:")) {
    await buildah("copy", "--quiet", "--chmod", "0755", container, process.execPath, "/usr/local/bin/bun");
    // Some machines reach the package registry by their own certificate authorities.
    const own = process.env["NODE_EXTRA_CA_CERTS"];
    if (own !== undefined) {
      await buildah("copy", "--quiet", container, own, "/etc/own-authorities.pem");
      await buildah("config", "--env", "NODE_EXTRA_CA_CERTS=/etc/own-authorities.pem", container);
    }
  }
  await buildah("commit", "--quiet", "--rm", container, name);
}

function wrongsOf(image: Image, service: Service): string[] {
  const said: [what: string, holds: boolean][] = [
    ["the image runs as a number that is not root's", /^[1-9]\d*:[1-9]\d*$/.test(image.User)],
    ["it says its version", image.Labels["org.opencontainers.image.version"] === manifest.version],
    ["it has a volume for its data", "/data" in image.Volumes],
    ["it stops by SIGTERM", image.StopSignal === "SIGTERM"],
    ["it is watched by `guildhall health`", image.Healthcheck.Test.join(" ") === "CMD guildhall health"],
    ["compose: the root is read-only", service.read_only],
    ["compose: no capability is left", service.cap_drop.join() === "ALL"],
    ["compose: no new privileges", service.security_opt.includes("no-new-privileges:true")],
    ["compose: the volume is the image's", service.volumes.some((each) => each.endsWith(":/data"))],
  ];
  return said.filter(([, holds]) => !holds).map(([what]) => `not so: ${what}`);
}

/** Starts and stops the program twice on one volume, and runs commands inside. */
async function life(root: string, image: Image): Promise<string[]> {
  const wrongs: string[] = [];
  const expect = (label: string, holds: boolean, detail: unknown): void => {
    if (!holds) wrongs.push(`${label}: ${JSON.stringify(detail)}`);
  };
  using volume = emptyFolder();
  const data = join(volume.path, "data");
  newVolume(join(root, "data"), data);
  const cage: Cage = { root, writable: { "/data": data }, user: image.User, env: [...image.Env, "HOME=/"] };
  const command = (...args: string[]) => ({ name: "image", command: caged(cage, args) });
  const exec = (...args: string[]) => runProgram(command(...image.Entrypoint), args, { cwd: volume.path });
  const health = () => {
    const [first = "", ...words] = image.Healthcheck.Test.slice(1);
    return runProgram(command(first), words, { cwd: volume.path });
  };
  for (const start of ["first", "second"]) {
    await using server = await serve(command(...image.Entrypoint), {
      cwd: volume.path,
      args: ["--host", "0.0.0.0"],
    });
    const { port } = new URL(server.url);
    const page = await fetch(`http://127.0.0.1:${port}/`);
    expect(`the ${start} start serves its page`, page.status === 200, page.status);
    const healthy = await health();
    expect("it is well", healthy.code === 0, healthy);
    const created = await exec("builder", "create", start);
    expect("a builder is made inside", created.code === 0, created);
    const missed = await exec("token", "create", "first");
    expect("the first builder is there", missed.code === 0, missed);
    server.signal("SIGTERM");
    const code = await server.exited;
    expect("it stops by a signal", code === 0, code);
    const unhealthy = await health();
    expect("a stopped one is not well", unhealthy.code === 1, unhealthy);
  }
  const touched = await runProgram(command("touch"), ["/usr/local/bin/x"], { cwd: volume.path });
  expect("nothing but the volume can be written", touched.code !== 0, touched);
  const kept = statSync(join(data, "guildhall.db"));
  expect(
    "the database is the user's alone",
    `${kept.uid}` === image.User.split(":")[0] && (kept.mode & 0o077) === 0,
    kept,
  );
  return wrongs;
}

/** Makes a volume with the content and owner of the image's folder, as container engines do. */
function newVolume(from: string, to: string): void {
  const { uid, gid, mode } = statSync(from);
  mkdirSync(to, { mode: mode & 0o777 });
  chownSync(to, uid, gid);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}

function bytesOf(folder: string): number {
  const [bytes = ""] = Bun.spawnSync(["du", "--summarize", "--bytes", folder]).stdout.toString().split("\t");
  return Number(bytes);
}
