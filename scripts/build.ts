/**
 * Compiles the program into one file: `bun run build [--target T] [--outfile F] [--sourcemap]`. Targets are
 * Bun's, such as bun-linux-arm64, bun-linux-x64-musl, bun-darwin-arm64. The default target is this machine.
 * With `--sourcemap`, the source maps are written beside the program.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ENTRYPOINTS } from "./entrypoints.ts";
import { bundledPackages, licenceTexts } from "./licences.ts";
import { refreshMessages } from "./messages.ts";

const { values } = parseArgs({
  options: {
    target: { type: "string" },
    outfile: { type: "string" },
    sourcemap: { type: "boolean", default: false },
  },
});
const target = values.target ?? hostTarget();
const named =
  values.outfile ?? (values.target ? `dist/guildhall-${target.replace(/^bun-/, "")}` : "dist/guildhall");
// The compiler adds this extension to every Windows program.
const outfile = target.includes("windows") && !named.endsWith(".exe") ? `${named}.exe` : named;

// The image build does not run `bun run deps`.
refreshMessages();
const driver = Bun.resolveSync("better-sqlite3/package.json", import.meta.dir).replace(
  /package\.json$/,
  `prebuilds/${driverOf(target)}.node`,
);
const texts = licenceTexts(await bundledPackages());
const sha256 = createHash("sha256").update(readFileSync(driver)).digest("hex");
mkdirSync(dirname(outfile), { recursive: true });
// A temporary folder for the build, beside the program. The compiler also writes source maps there, which the
// program does not need.
const buildFolder = mkdtempSync(join(dirname(outfile), ".build-"));
process.on("exit", () => rmSync(buildFolder, { recursive: true, force: true }));
const built = await Bun.build({
  entrypoints: ENTRYPOINTS,
  // File names without folders, because a worker looks for its program beside the main program.
  naming: { entry: "[name].[ext]" },
  target: "bun",
  format: "esm",
  bytecode: true,
  // The threads and the program share their modules. A module that is imported at run time is a separate
  // file. The file takes no memory until the import.
  splitting: true,
  // The binary contains its source maps, so that stack traces name source lines.
  sourcemap: "linked",
  compile: {
    target: target as Bun.Build.CompileTarget,
    outfile: join(buildFolder, basename(outfile)),
    // Files in the working folder must not change the program (docs/threats.md#L03).
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
  plugins: [
    {
      // The driver selects its native module at run time, which does not work in a compiled program.
      name: "native driver",
      setup(build) {
        build.onLoad({ filter: /src[\\/]app[\\/]driver[\\/]embedded\.ts$/ }, () => ({
          loader: "ts",
          contents: `import path from ${JSON.stringify(driver)} with { type: "file" };
export const EMBEDDED = { path, sha256: ${JSON.stringify(sha256)} };`,
        }));
      },
    },
    {
      // The package holds GraphiQL as strings of 9 MB. Compressed, they take 2 MB of the program.
      name: "GraphiQL",
      setup(build) {
        build.onLoad({ filter: /render-graphiql[\\/]esm[\\/]graphiql\.js$/ }, async ({ path }) => {
          const { css, js, editorWorkerService, graphqlWorker, jsonWorker } = await import(path);
          const texts = JSON.stringify({ css, js, editorWorkerService, graphqlWorker, jsonWorker });
          const packed = resolve(buildFolder, "graphiql.zst");
          writeFileSync(packed, Bun.zstdCompressSync(texts, { level: 12 }));
          return {
            loader: "ts",
            contents: `import { readFileSync } from "node:fs";
import packed from ${JSON.stringify(packed)} with { type: "file" };
const texts = JSON.parse(Bun.zstdDecompressSync(readFileSync(packed)).toString());
export const { css, js, editorWorkerService, graphqlWorker, jsonWorker } = texts;`,
          };
        });
      },
    },
    {
      name: "texts of licences",
      setup(build) {
        build.onLoad({ filter: /src[\\/]cli[\\/]licences[\\/]texts\.ts$/ }, () => ({
          loader: "ts",
          contents: `export const LICENCE_TEXTS = ${JSON.stringify(texts)};`,
        }));
      },
    },
  ],
});
if (!built.success) {
  for (const message of built.logs) console.error(message);
  process.exit(1);
}
for (const name of readdirSync(buildFolder))
  if (name === basename(outfile) || (values.sourcemap && name.endsWith(".map")))
    renameSync(join(buildFolder, name), join(dirname(outfile), name));
// A program for another system cannot run here. This check proves at least that the program contains the
// driver for its system.
if (!readFileSync(outfile).includes(readFileSync(driver))) {
  console.error(`${outfile} does not hold ${driver}`);
  process.exit(1);
}
chmodSync(outfile, 0o755);
console.log(`${outfile}  ${target}  ${Math.round(statSync(outfile).size / 1024 / 1024)} MiB`);

function hostTarget(): string {
  return `bun-${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
}

/** Maps a target to the driver's build name: `bun-linux-x64-musl` → `linuxmusl-x64`. */
function driverOf(name: string): string {
  const [, system = "linux", arch = "x64", ...rest] = name.split("-");
  const family =
    system === "windows" ? "win32" : system === "linux" && rest.includes("musl") ? "linuxmusl" : system;
  return `${family}-${arch}`;
}
