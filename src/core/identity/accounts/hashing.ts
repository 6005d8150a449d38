import { SECOND } from "../../base/clock.ts";
import { refuseFor } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";

/** Hashes and verifies passwords off the event loop. Throws rate_limited when too many calls wait. */
export interface Hasher {
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash, returns false after the same time, so that nobody
   * learns which accounts exist (docs/threats.md#F03).
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

/**
 * argon2id with 32 MiB and two passes: 50 ms of one core. OWASP's minimum is 19 MiB and two passes (Password
 * Storage Cheat Sheet). Bun's default of 64 MiB takes 100 ms, and two of those at once are too much for the
 * smallest servers.
 */
const COST: HashCost = { memoryKib: 32 * 1024, passes: 2 };

/** Cost parameters of argon2id. */
export interface HashCost {
  memoryKib: number;
  passes: number;
}

/**
 * Number of hashes computed at the same time. Two hashes use 64 MiB and leave time for the event loop on two
 * cores.
 */
const AT_ONCE = 2;
/**
 * Maximum number of waiting calls, about two seconds of work. Later calls are refused with a time to retry.
 */
const WAITING_MAX = 64;

/** Creates the hasher. `cost` is lower in tests that do not test hashing. */
export function createHasher(random: Random, cost = COST): Hasher {
  const enqueue = createQueue();
  const decoyHash = createUnmatchableHash(random, cost);
  return {
    hash: (password) =>
      enqueue(() =>
        Bun.password.hash(normal(password), {
          algorithm: "argon2id",
          memoryCost: cost.memoryKib,
          timeCost: cost.passes,
        }),
      ),
    verify: (password, hash) =>
      // `verify` throws for a text that is not a hash. Treat that as a wrong password.
      enqueue(() => Bun.password.verify(normal(password), hash ?? decoyHash).catch(() => false)),
  };
}

/** Normalizes a password, so that all keyboards produce the same characters (NIST SP 800-63B §5.1.1.2). */
function normal(password: string): string {
  return password.normalize("NFKC");
}

/** Makes a hash of the right format and cost that no password matches. */
function createUnmatchableHash(random: Random, { memoryKib, passes }: HashCost): string {
  const text = (): string => Buffer.from(random.bytes(32)).toString("base64").replace(/=+$/, "");
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=1$${text()}$${text()}`;
}

function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async (work) => {
    if (running < AT_ONCE) {
      running++;
    } else {
      if (waiting.length >= WAITING_MAX) throw refuseFor("sign_in_crowded", 2 * SECOND);
      // Wait for a slot. A finished call passes its slot to the first waiting call.
      await new Promise<void>((enter) => waiting.push(enter));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
