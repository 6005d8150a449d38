import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { generateKeyPair, type KeyObject } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pino, { type Logger } from "pino";
import { createToken, authenticate } from "../src/core/delegation/tokens/tokens.ts";
import {
  type BuilderCaller,
  type Caller,
  OPERATOR,
  scopesOfPerson,
} from "../src/core/identity/access/caller.ts";
import type { Role } from "../src/core/identity/access/roles.ts";
import { SCOPE_NAMES, type Scope } from "../src/core/identity/access/scopes.ts";
import { createHasher } from "../src/core/identity/accounts/hashing.ts";
import { accountState } from "../src/core/identity/accounts/account-state.ts";
import { openSession, sessionOf } from "../src/core/identity/accounts/sessions.ts";
import type { Clock } from "../src/core/base/clock.ts";
import { type Core, createCore, type ResolveHost } from "../src/core/base/core.ts";
import { openDatabase } from "../src/core/base/db/open.ts";
import type { Room } from "../src/core/outbox/deliveries/deliveries.ts";
import type { Interactions } from "../src/core/delegation/grants/interaction.ts";
import { createSecrets } from "../src/core/base/sealed-secrets.ts";
import { readConfig } from "../src/config/config.ts";
import { seededBytes } from "../src/demo/seeded-bytes.ts";
import { transportsOf } from "../src/app/transports.ts";
import { createMetrics, type HttpMetrics } from "../src/http/metrics.ts";
import type { ClusterGate } from "../src/http/cluster-gate.ts";
import { createHandler, type Handler } from "../src/http/preflight.ts";
import { listen } from "../src/http/server.ts";
import { createReadiness, type Parts } from "../src/operate/health/readiness.ts";
import { setPictureStorage } from "../src/core/community/media/picture-storage.ts";
import { createPictureStorage } from "../src/media/picture-storage.ts";
import { createEncoder, type Encoder } from "../src/media/encoder.ts";
import { createBuilder } from "../src/core/identity/accounts/administration.ts";

export const NOON = Date.parse("2026-11-20T12:00:00.000Z");

/** A clock that stands still until a test moves it. */
export interface HeldClock extends Clock {
  /** Lets time pass: both clocks go on. */
  pass(ms: number): void;
  /** Sets the machine's clock, as an operator or a time server would: only wall time changes. */
  step(ms: number): void;
}

export function heldClock(at = NOON): HeldClock {
  let wall = at;
  let elapsed = 1000;
  return {
    now: () => wall,
    elapsed: () => elapsed,
    steady: () => at + elapsed - 1000,
    pass(ms) {
      wall += ms;
      elapsed += ms;
    },
    step(ms) {
      wall += ms;
    },
  };
}

/** A look-up of names that does not end before `find`, and `asked` once somebody waits for it. */
export function heldNames(): { resolve: ResolveHost; asked: Promise<void>; find(addresses: string[]): void } {
  const { promise: found, resolve: find } = Promise.withResolvers<string[]>();
  const { promise: asked, resolve: wasAsked } = Promise.withResolvers<void>();
  const resolve = (): Promise<string[]> => {
    wasAsked();
    return found;
  };
  return { resolve, asked, find };
}

/** Room for so many attempts on each endpoint. */
export const roomFor = (most: number): Room => ({ of: () => most, take: () => {} });

export interface World {
  core: Core;
  clock: HeldClock;
  /** The folder with the database file. */
  folder: string;
}

export interface WorldOptions {
  resolve?: ResolveHost;
  allow?: string[];
  signup?: Core["policy"]["signup"];
  /** What else the operator decides. */
  policy?: Core["policy"];
  seed?: number;
  /** The public address. */
  origin?: string;
  /**
   * Whether the queue of writes goes by the held clock, too: how many share a commit is then no matter of
   * speed.
   */
  hasHeldWrites?: boolean;
  /** Whether a password costs what it costs in a program, 50 ms: for those tests that are about it. */
  hasRealHashes?: boolean;
  /** Whether it makes RSA keys of its own, as a program does, instead of those that all worlds share. */
  hasOwnKeys?: boolean;
  /** Begins where another world stood: with its rows, at its time, and with secrets that it can read. */
  from?: Snapshot;
}

/** A world at one moment. */
export interface Snapshot {
  database: Uint8Array;
  /** Milliseconds since NOON. */
  passedMs: number;
  seed: number;
}

/**
 * What a test may begin with again and again, where making it takes longer than what the test does with it.
 */
export function snapshot({ core, clock, folder }: World, { seed = 1 }: WorldOptions = {}): Snapshot {
  core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  return { database: readFileSync(join(folder, "guildhall.db")), passedMs: clock.now() - NOON, seed };
}

let migrated: Uint8Array | undefined;

/**
 * A database file with all tables and no rows. Made once for a test file: the migrations take longer than
 * most tests.
 */
function migratedDatabase(): Uint8Array {
  if (migrated) return migrated;
  const folder = mkdtempSync(join(tmpdir(), "guildhall-migrated-"));
  const file = join(folder, "guildhall.db");
  openDatabase(file, { busyMs: 100, isDurable: false }).close();
  migrated = readFileSync(file);
  rmSync(folder, { recursive: true });
  return migrated;
}

/**
 * An empty community in that data folder, with the key of all worlds of the first seed, as `openDataFolder`
 * would make it: for tests that are not about making it.
 */
export function writeEmptyCommunity(data: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeEmptyDatabase(join(data, "guildhall.db"));
  writeFileSync(join(data, "guildhall.key"), `${KEY}\n`, { mode: 0o600 });
}

/** A database with all tables and no rows. */
export function writeEmptyDatabase(file: string): void {
  writeFileSync(file, migratedDatabase(), { mode: 0o600 });
}

/** The key of a world of the first seed, as its operator would write it. */
export const KEY = Buffer.from(seededBytes(1).bytes(32)).toString("hex");

/** What holds where the operator has decided nothing. */
const USUAL = readConfig({});

const makeRsaKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })).privateKey;
const rsaKeys: Promise<KeyObject>[] = [];

/** The RSA keys of a world, its first, second and so on. All worlds share them: making one takes 0.1 s. */
function sharedRsaKeys(): () => Promise<KeyObject> {
  let count = 0;
  return () => (rsaKeys[count++] ??= makeRsaKey());
}

const CHEAP = { memoryKib: 64, passes: 1 };

/** A core of its own on a real database file, with a still clock and seeded randomness. */
export function makeWorld(options: WorldOptions = {}): World & { [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-test-"));
  const { from, seed = from?.seed ?? 1 } = options;
  writeFileSync(join(folder, "guildhall.db"), from?.database ?? migratedDatabase());
  const clock = heldClock();
  clock.pass(from?.passedMs ?? 0);
  const first = seededBytes(seed);
  const key = first.bytes(32);
  // What follows is not what the world before it was made of, or there would be the same ids and tokens
  // twice.
  const random = from ? seededBytes(seed + 1000) : first;
  const core = createCore({
    db: openDatabase(join(folder, "guildhall.db"), {
      busyMs: 100,
      ...(options.hasHeldWrites && { elapsed: clock.elapsed }),
    }),
    clock,
    random,
    ...(!options.hasOwnKeys && { makeRsaKey: sharedRsaKeys() }),
    secrets: createSecrets(key, random),
    origin: options.origin ?? "https://guild.test",
    policy: { ...(options.policy ?? USUAL), ...(options.signup && { signup: options.signup }) },
    targets: { resolve: options.resolve ?? (async () => ["93.184.215.14"]), allow: options.allow ?? [] },
  });
  if (!options.hasRealHashes)
    Object.assign(core.memory(accountState), { hasher: createHasher(random, CHEAP) });
  return {
    core,
    clock,
    folder,
    [Symbol.dispose]() {
      core.db.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A builder with a token that may do everything a builder may, or just what `scopes` says. */
export function moveIn(
  core: Core,
  username: string,
  scopes: readonly Scope[] = BUILDER_SCOPES,
  tier: "personal" | "enterprise" = "enterprise",
) {
  createBuilder(core, OPERATOR, {
    username,
    name: username[0]?.toUpperCase() + username.slice(1),
    role: "member",
  });
  return enrol(core, username, scopes, tier);
}

export const BUILDER_SCOPES: readonly Scope[] = SCOPE_NAMES.filter((name) => name !== "admin");

/**
 * One more token of a builder, and the caller it makes. Enterprise by default, so that limits do not end a
 * test.
 */
export function enrol(
  core: Core,
  username: string,
  scopes: readonly Scope[] = BUILDER_SCOPES,
  tier: "personal" | "enterprise" = "enterprise",
): { token: string; caller: Caller } {
  const { token } = createToken(core, OPERATOR, username, { name: "test", scopes: [...scopes], tier });
  const caller = authenticate(core, token, () => true);
  if (!caller) throw new Error("a token that was just made does not work");
  return { token, caller };
}

/** The same builder, signed in: what a caller of the pages is. */
export function inPerson(caller: Caller, role: Role = "member"): Caller {
  return { ...caller, role, means: "session", scopes: scopesOfPerson(role), address: "203.0.113.7" };
}

/**
 * The same with a session of their own, opened at this moment: what changes how somebody comes in asks for
 * one.
 */
export function signedInNow(core: Core, { builderId }: Pick<Caller, "builderId">): BuilderCaller {
  const from = { address: "203.0.113.7", agent: "Firefox on Linux" };
  const { secret } = core.db.transact(() => openSession(core, builderId ?? "", from));
  const found = sessionOf(core, secret, from.address);
  if (!found) throw new Error("a session that was just opened does not work");
  return found.caller;
}

export interface House extends World {
  url: string;
  /** What the consent pages use. */
  interactions: Interactions;
  /** What was logged, line by line. */
  logged: string[];
  metrics: HttpMetrics;
  /** Answers without a socket. */
  handle: Handler;
  /** A request below /v1 with this token; a body is sent as JSON. */
  ask(token: string | undefined, path: string, init?: AskInit): Promise<Response>;
}

export interface AskInit {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The same on a real port, wired as the program wires it. */
export function openHouse(
  options: WorldOptions & {
    env?: Record<string, string>;
    /** What a browser is pointed at is the public address too: `http://localhost` with its port. */
    isLocal?: boolean;
    /** After how long a silent client is cut; the program's own, where it is not said. */
    idleSeconds?: number | undefined;
    /** Where it logs to, in place of `logged`. */
    log?: Logger;
    /** What draws pictures; processes of the program's own, where it is not said. */
    workshop?: Encoder;
    /** What makes it a node among several. */
    gate?: (core: Core) => ClusterGate;
    /** What of the program /readyz asks: nothing of it is amiss, where it is not said. */
    parts?: Partial<Parts>;
  } = {},
): House & AsyncDisposable {
  let handler: Handler;
  const server = listen("127.0.0.1", 0, () => handler, { idleSeconds: options.idleSeconds });
  const { port } = new URL(server.url);
  const config = options.env ? readConfig(options.env) : USUAL;
  const own = options.isLocal ? { ...options, origin: `http://localhost:${port}` } : options;
  const world = makeWorld({ policy: config, ...own });
  const logged: string[] = [];
  const log = options.log ?? pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const metrics = createMetrics();
  setPictureStorage(world.core, createPictureStorage(world.folder, options.workshop ?? createEncoder()));
  const parts = { sinceTurnMs: () => 0, freeBytes: () => Infinity, ...options.parts };
  const readiness = createReadiness(world.core, parts, log, { withinMs: 50 });
  const { transports, interactions } = transportsOf(world.core, config, metrics, "0.0.0-test", readiness);
  handler = createHandler(world.core, transports, config, log, metrics, options.gate?.(world.core));
  return {
    ...world,
    url: server.url,
    interactions,
    logged,
    metrics,
    handle: handler,
    ask(token, path, { method = "GET", body, headers = {} } = {}) {
      return fetch(`${server.url}/v1${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    async [Symbol.asyncDispose]() {
      for (const transport of transports) transport.stop?.();
      await server.stop(1000);
      world[Symbol.dispose]();
    },
  };
}
