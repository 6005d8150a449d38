import foundation from "./migrations/0001_foundation.sql" with { type: "text" };
import accounts from "./migrations/0002_accounts.sql" with { type: "text" };
import oauth from "./migrations/0004_oauth.sql" with { type: "text" };

/** In the order in which they are applied. A migration that was released is never edited: add the next one. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_foundation", sql: foundation },
  { name: "0002_accounts", sql: accounts },
  { name: "0004_oauth", sql: oauth },
];
