/**
 * What goes into the binary, as a bill of materials: CycloneDX 1.6 in JSON
 * (https://cyclonedx.org/docs/1.6/json/), made of the packages that the bundler takes and of bun.lock. A test
 * holds it against the format's own schema.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import manifest from "../package.json" with { type: "json" };
import { bundledPackages, type Package } from "./licences.ts";

/** What a package asks for: to have it, to use it where it is there, to share its user's. */
interface Asks {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** An entry of bun.lock: `name@version`, registry, what it asks for, its SHA-512. */
type Locked = [id: string, registry: string, asks: Asks, integrity: string];
/** By the path of its place, as `a` or, where another version of it is asked for by `a`, `a/b`. */
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

export interface Bill {
  bomFormat: "CycloneDX";
  specVersion: "1.6";
  serialNumber: string;
  version: number;
  metadata: { timestamp: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

/** The bill of materials of a version of this program. */
export async function billOf(version: string, timestamp: string): Promise<Bill> {
  const text = readFileSync(join(import.meta.dir, "../bun.lock"), "utf8");
  const { packages: lock } = Bun.JSONC.parse(text) as { packages: Lock };
  const packages = new Map((await bundledPackages()).map((one) => [idOf(one), one]));
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
    components: [...runtime, ...[...packages.values()].map((one) => componentOf(one, lock))],
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
        dependsOn: asksOf(id, lock)
          .filter((asked) => packages.has(asked))
          .map(refOfId),
      })),
    ],
  };
}

/**
 * What is in the binary and in no package's folder: the runtime, and the database that the driver is compiled
 * with.
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

function componentOf(one: Package, lock: Lock): Component {
  const integrity = Object.values(lock).find(([id]) => id === idOf(one))?.[3] ?? "";
  const content = Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
  return {
    ...named(one),
    type: "library",
    licenses: licensesOf(one.licence),
    ...(content === "" ? {} : { hashes: [{ alg: "SHA-512", content }] }),
  };
}

function named({ name, version }: { name: string; version: string }) {
  return { "bom-ref": refOf({ name, version }), name, version, purl: refOf({ name, version }) };
}

function licensesOf(licence: string): Component["licenses"] & object {
  return / (?:OR|AND) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** The packages that one asks for, as `name@version`: from its own place in the lock outwards. */
export function asksOf(id: string, lock: Lock): string[] {
  const place = Object.keys(lock).find((path) => lock[path]?.[0] === id);
  if (place === undefined) return [];
  const { dependencies, optionalDependencies, peerDependencies } = lock[place]?.[2] ?? {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.map((name) => nearest(place, name, lock)).filter((found) => found !== undefined);
}

function nearest(place: string, name: string, lock: Lock): string | undefined {
  // A name with a scope has a stroke of its own.
  const around = place.split(/\/(?!(?<=^@[^/]*\/)|(?<=\/@[^/]*\/))/);
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

/** A package URL (https://github.com/package-url/purl-spec), which also names the part within the bill. */
function refOf({ name, version }: { name: string; version: string }): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}
