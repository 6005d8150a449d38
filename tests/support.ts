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
import { recordStaffEvent } from "../src/core/outbox/events/events.ts";
import { BUILDER_SCOPES, type Scope } from "../src/core/identity/access/scopes.ts";
import { createHasher } from "../src/core/identity/accounts/hashing.ts";
import { accountState } from "../src/core/identity/accounts/account-state.ts";
import { openSession, sessionOf } from "../src/core/identity/accounts/sessions.ts";
import type { Clock } from "../src/core/base/clock.ts";
import { type Core, createCore, type ResolveHost } from "../src/core/base/core.ts";
import { openDatabase } from "../src/core/base/db/open.ts";
import type { ConcurrencyLimits } from "../src/core/outbox/deliveries/deliveries.ts";
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

/** A fake clock that advances only when a test says so. */
export interface FakeClock extends Clock {
  /** Lets time pass on both clocks. */
  pass(ms: number): void;
  /** Sets the wall clock, as an operator or NTP would. The monotonic clock does not change. */
  step(ms: number): void;
}

export function fakeClock(at = NOON): FakeClock {
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

/** A DNS lookup that waits until `find` is called. `asked` resolves when a lookup starts. */
export function pausedLookup(): {
  resolve: ResolveHost;
  asked: Promise<void>;
  find(addresses: string[]): void;
} {
  const { promise: found, resolve: finish } = Promise.withResolvers<string[]>();
  const { promise: pending, resolve: markStarted } = Promise.withResolvers<void>();
  const resolve = (): Promise<string[]> => {
    markStarted();
    return found;
  };
  return { resolve, asked: pending, find: finish };
}

/** Concurrency limits that allow `most` attempts on each endpoint. */
export const limitOf = (most: number): ConcurrencyLimits => ({ freeSlotsFor: () => most, take: () => {} });

export interface TestWorld {
  core: Core;
  clock: FakeClock;
  folder: string;
}

export interface TestWorldOptions {
  resolve?: ResolveHost;
  allow?: string[];
  signup?: Core["policy"]["signup"];
  /**
   * Settings of the operator, by default those of an empty environment. `signup` overrides their sign-up
   * policy.
   */
  policy?: Core["policy"];
  seed?: number;
  origin?: string;
  /**
   * Whether the write queue uses the fake clock, so that the grouping of commits does not depend on speed.
   */
  hasFakeWriteClock?: boolean;
  /**
   * Whether password hashes cost 50 ms as in production. Only for tests about hashing. "large" hashes take
   * the memory of production and half the time.
   */
  hasRealHashes?: boolean | "large";
  /** Whether this world makes its own RSA keys, as in production. Otherwise worlds share them. */
  hasOwnKeys?: boolean;
  /** Starts from another world's rows and time, and can read its secrets. */
  from?: Snapshot;
}

export interface Snapshot {
  database: Uint8Array;
  /** Milliseconds since NOON. */
  passedMs: number;
  seed: number;
}

/** Saves a world that many tests start from, if making it is slower than the tests. */
export function snapshot({ core, clock, folder }: TestWorld, { seed = 1 }: TestWorldOptions = {}): Snapshot {
  core.db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  return { database: readFileSync(join(folder, "guildhall.db")), passedMs: clock.now() - NOON, seed };
}

let migrated: Uint8Array | undefined;

/**
 * A database with all tables and no rows. Cached per test file, because the migrations take longer than most
 * tests.
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
 * Writes an empty community with `KEY` into a data folder, as `openDataFolder` would. For tests that are not
 * about creating one.
 */
export function writeEmptyCommunity(data: string): void {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  writeEmptyDatabase(join(data, "guildhall.db"));
  writeFileSync(join(data, "guildhall.key"), `${KEY}\n`, { mode: 0o600 });
}

export function writeEmptyDatabase(file: string): void {
  writeFileSync(file, migratedDatabase(), { mode: 0o600 });
}

/** Key of a world with seed 1, in the format of the key file. */
export const KEY = Buffer.from(seededBytes(1).bytes(32)).toString("hex");

const DEFAULT_CONFIG = readConfig({});

const makeRsaKey = async (): Promise<KeyObject> =>
  (await promisify(generateKeyPair)("rsa", { modulusLength: 2048 })).privateKey;
const rsaKeys: Promise<KeyObject>[] = [];

/** RSA keys in order of use, shared by all worlds because making one takes 0.1 s. */
function sharedRsaKeys(): () => Promise<KeyObject> {
  let count = 0;
  return () => (rsaKeys[count++] ??= makeRsaKey());
}

const CHEAP_HASH = { memoryKib: 64, passes: 1 };
const LARGE_HASH = { memoryKib: 32 * 1024, passes: 1 };

/** A core with its own database file, a fake clock and seeded randomness. */
export function createTestWorld(options: TestWorldOptions = {}): TestWorld & { [Symbol.dispose](): void } {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-test-"));
  const { from, seed = from?.seed ?? 1 } = options;
  writeFileSync(join(folder, "guildhall.db"), from?.database ?? migratedDatabase());
  const clock = fakeClock();
  clock.pass(from?.passedMs ?? 0);
  const first = seededBytes(seed);
  const key = first.bytes(32);
  // A different seed, so that the new world does not repeat ids and tokens of the snapshot.
  const random = from ? seededBytes(seed + 1000) : first;
  const core = createCore({
    db: openDatabase(join(folder, "guildhall.db"), {
      busyMs: 100,
      ...(options.hasFakeWriteClock && { elapsed: clock.elapsed }),
    }),
    clock,
    random,
    ...(!options.hasOwnKeys && { makeRsaKey: sharedRsaKeys() }),
    secrets: createSecrets(key, random),
    origin: options.origin ?? "https://guild.test",
    policy: { ...(options.policy ?? DEFAULT_CONFIG), ...(options.signup && { signup: options.signup }) },
    fireStaffEvent: recordStaffEvent,
    targets: { resolve: options.resolve ?? (async () => ["93.184.215.14"]), allow: options.allow ?? [] },
  });
  if (options.hasRealHashes !== true) {
    const hasher = createHasher(random, options.hasRealHashes ? LARGE_HASH : CHEAP_HASH);
    Object.assign(core.memory(accountState), { hasher });
  }
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

/** A new member with a token that has `scopes`, by default all that a member may have. */
export function createMember(
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
  return createMemberToken(core, username, scopes, tier);
}

export { BUILDER_SCOPES };

/**
 * Another token of a member, with its caller. Its tier is enterprise by default, so that rate limits do not
 * fail tests.
 */
export function createMemberToken(
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

/** The same member as a caller of the pages, with a session. */
export function asSession(caller: Caller, role: Role = "member"): Caller {
  return { ...caller, role, means: "session", scopes: scopesOfPerson(role), address: "203.0.113.7" };
}

/**
 * The same member with a session that was opened now. Operations on passwords, sessions and tokens require
 * such a session.
 */
export function signedInNow(core: Core, { builderId }: Pick<Caller, "builderId">): BuilderCaller {
  const from = { address: "203.0.113.7", agent: "Firefox on Linux" };
  const { secret } = core.db.transact(() => openSession(core, builderId ?? "", from));
  const found = sessionOf(core, secret, from.address);
  if (!found) throw new Error("a session that was just opened does not work");
  return found.caller;
}

export interface TestServer extends TestWorld {
  url: string;
  /** Used by the consent pages. */
  interactions: Interactions;
  logged: string[];
  metrics: HttpMetrics;
  /** Handles a request without a socket. */
  handle: Handler;
  /** Sends a request below /v1 with this token. A body is sent as JSON. */
  request(token: string | undefined, path: string, init?: RequestOptions): Promise<Response>;
}

export interface RequestOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A world with a server on a real port, wired as in production. */
export function openTestServer(
  options: TestWorldOptions & {
    env?: Record<string, string>;
    /** Whether the public address is the server's own, `http://localhost` with its port. */
    isLocal?: boolean;
    /** Seconds until a silent client is cut off. Defaults to the program's value. */
    idleSeconds?: number | undefined;
    /** Log destination instead of `logged`. */
    log?: Logger;
    /** Encoder of pictures. Defaults to the program's processes. */
    encoder?: Encoder;
    /** Makes the server a node of a cluster. */
    gate?: (core: Core) => ClusterGate;
    /** Parts that /readyz checks. By default all are healthy. */
    parts?: Partial<Parts>;
  } = {},
): TestServer & AsyncDisposable {
  let handler: Handler;
  const server = listen("127.0.0.1", 0, () => handler, { idleSeconds: options.idleSeconds });
  const { port } = new URL(server.url);
  const config = options.env ? readConfig(options.env) : DEFAULT_CONFIG;
  const testOptions = options.isLocal ? { ...options, origin: `http://localhost:${port}` } : options;
  const world = createTestWorld({ policy: config, ...testOptions });
  const logged: string[] = [];
  const log = options.log ?? pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const metrics = createMetrics();
  setPictureStorage(world.core, createPictureStorage(world.folder, options.encoder ?? createEncoder()));
  const parts = { sincePassMs: () => 0, freeBytes: () => Infinity, ...options.parts };
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
    request(token, path, { method = "GET", body, headers = {} } = {}) {
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
