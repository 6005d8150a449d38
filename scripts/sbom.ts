/**
 * The bill of materials of the binary: CycloneDX 1.6 in JSON (https://cyclonedx.org/docs/1.6/json/). It is
 * built from the packages that the bundler takes and from bun.lock. A test validates it with the format's
 * schema.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import manifest from "../package.json" with { type: "json" };
import { bundledPackages, type Package } from "./licences.ts";

/** The dependencies of a package: required, optional and peer dependencies. */
interface Dependencies {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** An entry of bun.lock: `name@version`, registry, dependencies, SHA-512. */
type Locked = [id: string, registry: string, asks: Dependencies, integrity: string];
/** Entries by path: `a`, or `a/b` if package `a` needs a different version of `b`. */
export type Lock = Readonly<Record<string, Locked>>;

interface Component {
  "bom-ref": string;
  type: "application" | "library" | "platform";
  name: string;
  version: string;
  purl?: string;
  licenses?: ({ license: { id: string } } | { expression: string })[];
  hashes?: { alg: "SHA-512"; content: string }[];
}

export interface BillOfMaterials {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  serialNumber: string;
  version: number;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** Returns the bill of materials of a version of this program. */
export async function createBill(version: string, timestamp: string): Promise<BillOfMaterials> {
  const text = readFileSync(join(import.meta.dir, "../bun.lock"), "utf8");
  const { packages: lock } = Bun.JSONC.parse(text) as { packages: Lock };
  const packages = new Map((await bundledPackages()).map((dependency) => [idOf(dependency), dependency]));
  const parts = [...packages.keys()];
  const whole = refOf({ name: manifest.name, version });
  const direct = Object.keys(manifest.dependencies).map((name) => lock[name]?.[0] ?? "");
  const runtime = runtimeParts();
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${crypto.randomUUID()}`,
    version: 1,
    metadata: {
      timestamp,
      component: {
        "bom-ref": whole,
        type: "application",
        name: manifest.name,
        version,
        licenses: licensesOf(manifest.license),
      },
    },
    components: [...runtime, ...[...packages.values()].map((dependency) => componentOf(dependency, lock))],
    dependencies: [
      {
        ref: whole,
        dependsOn: [
          ...runtime.map((part) => part["bom-ref"]),
          ...direct.filter((id) => packages.has(id)).map(refOfId),
        ],
      },
      ...parts.map((id) => ({
        ref: refOfId(id),
        dependsOn: dependenciesOf(id, lock)
          .filter((query) => packages.has(query))
          .map(refOfId),
      })),
    ],
  };
}

/**
 * Returns parts of the binary that are not npm packages: the runtime, and the SQLite that the driver
 * contains.
 */
function runtimeParts(): Component[] {
  const sqlite = new Database(":memory:");
  const version = sqlite.prepare("SELECT sqlite_version()").pluck().get() as string;
  sqlite.close();
  return [
    {
      ...named({ name: "bun", version: Bun.version }),
      type: "platform",
      licenses: [{ expression: "MIT AND LGPL-2.0-only" }],
    },
    {
      "bom-ref": `sqlite@${version}`,
      type: "library",
      name: "sqlite",
      version,
      licenses: licensesOf("blessing"),
    },
  ];
}

function componentOf(dependency: Package, lock: Lock): Component {
  const integrity = Object.values(lock).find(([id]) => id === idOf(dependency))?.[3] ?? "";
  const content = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    ...named(dependency),
    type: "library",
    licenses: licensesOf(dependency.licence),
    ...(content === "" ? {} : { hashes: [{ alg: "SHA-512", content }] }),
  };
}

function named({ name, version }: { name: string; version: string }) {
  return { "bom-ref": refOf({ name, version }), name, version, purl: refOf({ name, version }) };
}

function licensesOf(licence: string): Component["licenses"] & object {
  return / (?:OR|AND) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/**
 * Returns the dependencies of a package as `name@version`. Looks up each dependency in the lock file below
 * the package's own path, then below each parent path.
 */
export function dependenciesOf(id: string, lock: Lock): string[] {
  const lockPath = Object.keys(lock).find((path) => lock[path]?.[0] === id);
  if (lockPath === undefined) return [];
  const { dependencies, optionalDependencies, peerDependencies } = lock[lockPath]?.[2] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.map((name) => resolveDependency(lockPath, name, lock)).filter((found) => found !== undefined);
}

function resolveDependency(lockPath: string, name: string, lock: Lock): string | undefined {
  // The slash in a scoped name does not separate two packages.
  const around = lockPath.split(/\/(?!(?<=^@[^/]*\/)|(?<=\/@[^/]*\/))/);
  for (let depth = around.length; depth >= 0; depth--) {
    const found = lock[[...around.slice(0, depth), name].join("/")];
    if (found) return found[0];
  }
  return undefined;
}

function idOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

function refOfId(id: string): string {
  const at = id.lastIndexOf("@");
  return refOf({ name: id.slice(0, at), version: id.slice(at + 1) });
}

/**
 * Returns a package URL (https://github.com/package-url/purl-spec), which is also the component's reference
 * within the bill.
 */
function refOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}
