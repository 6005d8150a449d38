// docs/threats.md#M13: the definitions of the image and the package. `bun run drill --foreign` builds and
// runs both.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { ENTRYPOINTS } from "../../scripts/entrypoints.ts";

const ROOT = join(import.meta.dir, "../..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");
const dockerfile = read("Dockerfile");

/** Files copied into the first stage, as paths from the root. */
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = ""]) =>
  paths.split(" "),
);

test("the build context contains every file that the program needs, and nothing else", async () => {
  const built = await Bun.build({
    entrypoints: ENTRYPOINTS.map((file) => join(ROOT, file)),
    target: "bun",
    metafile: true,
  });
  const inputs = Object.keys(built.metafile?.inputs ?? {}).filter((path) => !path.includes("node_modules/"));
  expect(inputs.length).toBeGreaterThan(300);
  const isWithin = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`));
  expect(inputs.filter((path) => !isWithin(path))).toEqual([]);
  const sent = read(".dockerignore").trim().split("\n");
  expect(sent).toEqual(["*", ...copied.map((path) => `!${path}`)]);
});

test("the image shows its version, runs without root, keeps data in a volume and has a health check", () => {
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  expect(last).toContain(`org.opencontainers.image.version="${manifest.version}"`);
  expect(last).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(last).toContain("\nVOLUME /data\n");
  expect(last).toMatch(/^HEALTHCHECK .*CMD \["guildhall", "health"\]$/m);
  // The image contains the binary only, and no tool that could build or download.
  expect(last.match(/^COPY .*/gm)).toEqual([
    "COPY --from=build /src/dist/guildhall /usr/local/bin/guildhall",
  ]);
  expect(dockerfile).toContain(`oven/bun:${Bun.version}-slim`);
});

test("compose runs the image read-only, without capabilities or new privileges, reachable only from this machine", () => {
  const { services, volumes } = Bun.YAML.parse(read("compose.yaml")) as {
    services: Record<string, Record<string, unknown>>;
    volumes: Record<string, unknown>;
  };
  expect(Object.keys(services)).toEqual(["guildhall"]);
  expect(services["guildhall"]).toMatchObject({
    read_only: true,
    cap_drop: ["ALL"],
    security_opt: ["no-new-privileges:true"],
    ports: ["127.0.0.1:8787:8787"],
    volumes: ["guild:/data"],
    stop_grace_period: `${/^TimeoutStopSec=(\d+)$/m.exec(read("deploy/guildhall.service"))?.[1]}s`,
  });
  expect(Object.keys(volumes)).toEqual(["guild"]);
});

test("every container of the cluster file is restricted likewise; one node leads, and engines share their node's folder", () => {
  const { services, volumes } = Bun.YAML.parse(read("deploy/compose.cluster.yml")) as {
    services: Record<string, { environment?: Record<string, string>; volumes: string[]; command?: string[] }>;
    volumes: Record<string, unknown>;
  };
  const nodes = ["one", "two", "three"];
  const engines = nodes.map((node) => `${node}-engine`);
  expect(Object.keys(services).sort()).toEqual([...nodes, ...engines, "replica"].sort());
  expect(Object.keys(volumes).sort()).toEqual([...nodes, "replica"].sort());
  for (const [name, service] of Object.entries(services))
    expect([name, service]).toEqual([
      name,
      expect.objectContaining({
        read_only: true,
        cap_drop: ["ALL"],
        security_opt: ["no-new-privileges:true"],
      }),
    ]);
  const all = nodes.map((node) => `http://${node}:8787`).join();
  for (const node of nodes) {
    const { environment, volumes: own, ...more } = services[node] ?? { volumes: [] };
    expect(environment?.["GUILDHALL_PEERS"]).toBe(all);
    expect(environment?.["GUILDHALL_KEY"]).toContain(":?");
    expect(environment?.["GUILDHALL_FOLLOW"]).toBe(node === "one" ? undefined : all);
    expect([own, more]).toEqual([[`${node}:/data`], expect.objectContaining({ image: "guildhall" })]);
    const engine = services[`${node}-engine`];
    expect(engine?.volumes[0]).toBe(`${node}:/data`);
    expect(engine?.command?.join(" ")).toMatch(node === "one" ? /^litestream replicate/ : /follow\.sh$/);
    expect(engine).toMatchObject({ user: "65532:65532", environment: { GUILDHALL_DATA: "/data" } });
  }
});
