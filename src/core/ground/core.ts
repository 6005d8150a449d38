import type { TokenUse } from "../delegation/tokens/tokens-store.ts";
import { type AccountState, createAccountState } from "../identity/accounts/state.ts";
import { type CallerCache, createCallerCache } from "../delegation/tokens/caller-cache.ts";
import type { Clock } from "./clock.ts";
import type { Db } from "./db/open.ts";
import { idCounts, idMaker, type MakeId } from "./ids.ts";
import { createVerifiedTokens, type VerifiedTokens } from "../delegation/oauth/access-tokens.ts";
import type { Random } from "./random.ts";
import type { Seal } from "./seal.ts";
import type { TargetRules } from "../outbox/webhooks/target.ts";

/** What every operation works with: the first parameter of each. It knows no request and no environment. */
export interface Core {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly makeId: MakeId;
  readonly seal: Seal;
  /** The public address, such as `https://guild.example`: links in events begin with it. No slash at the end. */
  readonly origin: string;
  /** Where webhooks may point, and how names are resolved. */
  readonly targets: TargetRules;
  /** Told that a delivery may be due. Nothing listens where nothing delivers. */
  wake: () => void;
  /** When each token was last used and for what, until it is written down in one go: a read must not cost a write. */
  readonly tokenUses: Map<string, TokenUse>;
  /** Who stands behind the tokens seen lately. */
  readonly callers: CallerCache;
  /** Access tokens of apps whose signature is known to be good. */
  readonly verifiedTokens: VerifiedTokens;
  /** Who may make an account: anybody, whoever has an invitation, nobody. */
  readonly signup: "open" | "invite" | "closed";
  /** What signing in keeps in memory. */
  readonly accounts: AccountState;
}

/** `ids`: the counts of another core on the same database in this program; without them this one counts for itself. */
export function createCore(
  parts: Omit<Core, "makeId" | "tokenUses" | "callers" | "verifiedTokens" | "accounts" | "wake">,
  ids: SharedArrayBuffer = idCounts(),
): Core {
  return {
    ...parts,
    makeId: idMaker(parts.random, ids),
    wake: () => {},
    tokenUses: new Map(),
    callers: createCallerCache(parts.db.version),
    verifiedTokens: createVerifiedTokens(parts.clock.now),
    accounts: createAccountState(parts.clock, parts.random),
  };
}
