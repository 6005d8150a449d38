import foundation from "./migrations/0001_foundation.sql" with { type: "text" };
import accounts from "./migrations/0002_accounts.sql" with { type: "text" };
import delivery from "./migrations/0003_delivery.sql" with { type: "text" };
import oauth from "./migrations/0004_oauth.sql" with { type: "text" };
import feed from "./migrations/0005_feed.sql" with { type: "text" };
import jobs from "./migrations/0006_jobs.sql" with { type: "text" };
import xp from "./migrations/0007_xp.sql" with { type: "text" };
import messages from "./migrations/0008_messages.sql" with { type: "text" };
import directory from "./migrations/0009_directory.sql" with { type: "text" };
import deletion from "./migrations/0010_deletion.sql" with { type: "text" };

/** In the order in which they are applied. A migration that was released is never edited: add the next one. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_foundation", sql: foundation },
  { name: "0002_accounts", sql: accounts },
  { name: "0003_delivery", sql: delivery },
  { name: "0004_oauth", sql: oauth },
  { name: "0005_feed", sql: feed },
  { name: "0006_jobs", sql: jobs },
  { name: "0007_xp", sql: xp },
  { name: "0008_messages", sql: messages },
  { name: "0009_directory", sql: directory },
  { name: "0010_deletion", sql: deletion },
];
