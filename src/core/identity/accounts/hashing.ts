import { SECOND } from "../../base/clock.ts";
import { refuseFor } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";

/**
 * Hashes passwords and compares them with their hashes, off the event loop. Throws rate_limited when too many
 * wait.
 */
export interface Hasher {
  hash(password: string): Promise<string>;
  /**
   * Against no hash it takes the same time and is never true: nobody learns which accounts there are
   * (docs/threats.md#F03).
   */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

/**
 * argon2id with 32 MiB and two passes, more than OWASP's least (19 MiB, two passes; Password Storage Cheat
 * Sheet): 50 ms of one core. Bun's own 64 MiB take 100 ms, and two of them at once are too much for the
 * cheapest machines that a community lives on.
 */
const COST: HashCost = { memoryKib: 32 * 1024, passes: 2 };

/** What argon2id is told to spend on each password. */
export interface HashCost {
  memoryKib: number;
  passes: number;
}

/** Two at once need 64 MiB and leave the event loop its share of two cores. */
const AT_ONCE = 2;
/** Some two seconds of work: whoever comes later is better told to come back. */
const WAITING_MAX = 64;

/** `cost`: tests that are not about it spend less. */
export function createHasher(random: Random, cost = COST): Hasher {
  const inTurn = createQueue();
  const nobodys = hashOfNothing(random, cost);
  return {
    hash: (password) =>
      inTurn(() =>
        Bun.password.hash(normal(password), {
          algorithm: "argon2id",
          memoryCost: cost.memoryKib,
          timeCost: cost.passes,
        }),
      ),
    verify: (password, hash) =>
      // It throws for a text that is no hash: then no password is the right one.
      inTurn(() => Bun.password.verify(normal(password), hash ?? nobodys).catch(() => false)),
  };
}

/** The same letters however a keyboard composes them (NIST SP 800-63B §5.1.1.2). */
function normal(password: string): string {
  return password.normalize("NFKC");
}

/** Of the right form and cost, and of no password. */
function hashOfNothing(random: Random, { memoryKib, passes }: HashCost): string {
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
      // Whoever is done hands the place on.
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
