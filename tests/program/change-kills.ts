import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { check } from "../../src/core/services/sealing/sealing.ts";
import { SCHEMA_VERSION } from "../../src/core/base/db/migrate.ts";
import { idempotencyKeys } from "../../src/core/base/db/schema-access.ts";
import { answerOwner } from "../../src/core/base/idempotency/idempotency.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { createMember } from "../support.ts";
import { killDuring } from "./kills.ts";
import { emptyFolder, type Program, run } from "./programs.ts";
import { writeDataFolder, RELEASES } from "./releases.ts";

export interface Killed {
  killed: number;
  wrongs: string[];
}

/**
 * Kills `guildhall migrate` at `times` moments. Each time, the database is intact at the old or new version,
 * and the next run completes the migration without leftovers (docs/contract.md#12.8, docs/threats.md#M10).
 */
export async function killMigrations(
  program: Program,
  times: number,
  progress?: (kill: number) => void,
): Promise<Killed> {
  using folder = emptyFolder();
  const cwd = folder.path;
  const data = join(cwd, "d");
  const [release] = RELEASES;
  if (!release) throw new Error("there is no fixture");
  const wrongs: string[] = [];
  const stateOf = (): unknown[] => {
    const db = new Database(join(data, "guildhall.db"));
    const found = [
      db.pragma("integrity_check", { simple: true }),
      db.pragma("user_version", { simple: true }),
      db.prepare("SELECT count(*) FROM posts WHERE id IN (?, ?)").pluck().get(release.post, release.reply),
    ];
    db.close();
    return found;
  };
  const killed = await killDuring({
    program,
    args: ["migrate", "--data", "d"],
    cwd,
    times,
    prepare() {
      rmSync(data, { recursive: true, force: true });
      writeDataFolder(release, data);
    },
    begun: () => readdirSync(data).some((name) => name.startsWith("before-upgrade-")),
    async look(kill) {
      const [whole, version, posts] = stateOf();
      if (whole !== "ok" || posts !== 2 || ![release.schema, SCHEMA_VERSION].includes(Number(version)))
        wrongs.push(`kill ${kill}: ${String([whole, version, posts])}`);
      const { code, stderr } = await run(program, ["migrate", "--data", "d"], { cwd });
      if (code !== 0 || stateOf()[1] !== SCHEMA_VERSION) wrongs.push(`kill ${kill}: the next said ${stderr}`);
      const copies = readdirSync(data).filter((name) => name.startsWith("before-upgrade-"));
      if (copies.length > 2 || copies.some((name) => name.endsWith(".partial")))
        wrongs.push(`kill ${kill}: it left ${copies.join(", ")}`);
    },
    ...(progress ? { progress } : {}),
  });
  return { killed, wrongs };
}

/**
 * Kills `guildhall key rotate` with many sealed responses. Each time, everything opens, a start finds its
 * keys, and the next run completes the rotation. Then the new key alone opens everything
 * (docs/contract.md#12.9).
 */
export async function killRotations(
  program: Program,
  times: number,
  progress: ((kill: number) => void) | undefined,
  answers: number,
): Promise<Killed> {
  using folder = emptyFolder();
  const cwd = folder.path;
  const [data, filled] = [join(cwd, "d"), join(cwd, "filled")];
  fillCommunity(filled, answers);
  const wrongs: string[] = [];
  const lostIn = (): number => {
    const config = configOf(data);
    const installation = openDataFolder(config, { busyMs: 1000, mayCreate: false });
    let [count, lost] = [0, 0];
    for (const each of check(createFolderCore(installation, config, "http://localhost"), true))
      if (each.column === "idempotency_keys.answer") [count, lost] = [each.count, each.lost];
    installation.close();
    return lost + answers - count;
  };
  const killed = await killDuring({
    program,
    args: ["key", "rotate", "--data", "d"],
    cwd,
    times,
    prepare() {
      rmSync(data, { recursive: true, force: true });
      cpSync(filled, data, { recursive: true });
    },
    begun: () => existsSync(join(data, "guildhall.key.next")),
    async look(kill) {
      try {
        if (lostIn() > 0) wrongs.push(`kill ${kill}: ${lostIn()} do not open`);
        const { code, stderr } = await run(program, ["key", "rotate", "--data", "d"], { cwd });
        if (code !== 0) wrongs.push(`kill ${kill}: the next said ${stderr}`);
        const keys = readdirSync(data).filter((name) => name.startsWith("guildhall.key"));
        if (keys.some((name) => /next|former/.test(name)))
          wrongs.push(`kill ${kill}: it left ${keys.join(", ")}`);
        for (const name of keys.filter((each) => each !== "guildhall.key")) rmSync(join(data, name));
        if (lostIn() > 0) wrongs.push(`kill ${kill}: the new key opens not all`);
      } catch (error) {
        wrongs.push(`kill ${kill}: ${String(error)}`);
      }
    },
    ...(progress ? { progress } : {}),
  });
  return { killed, wrongs };
}

function configOf(data: string) {
  return { data, keyFile: join(data, "guildhall.key"), signup: "invite" as const, webhookAllow: [] };
}

export function fillCommunity(data: string, answers: number): void {
  mkdirSync(data, { recursive: true });
  const config = configOf(data);
  const installation = openDataFolder(config, { busyMs: 1000, mayCreate: true });
  const core = createFolderCore(installation, config, "http://localhost");
  const { builderId = "", workspaceId = "" } = createMember(core, "kept").caller as unknown as Record<
    string,
    string
  >;
  core.db.transact(() => {
    for (let i = 0; i < answers; i++) {
      const row = { builderId, workspaceId, route: "POST /feed", key: `${i}` };
      core.db.insert(idempotencyKeys, {
        ...row,
        fingerprint: Buffer.alloc(32),
        answer: core.secrets.seal("idempotent-answer", answerOwner(row), `the answer ${i}`),
        createdAt: core.clock.now(),
      });
    }
  });
  installation.close();
}
