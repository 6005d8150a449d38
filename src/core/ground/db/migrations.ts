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
import webhookSecrets from "./migrations/0011_webhook_secrets.sql" with { type: "text" };
import xpNodes from "./migrations/0012_xp_nodes.sql" with { type: "text" };
import suspended from "./migrations/0013_suspended.sql" with { type: "text" };
import endpointHealth from "./migrations/0014_endpoint_health.sql" with { type: "text" };
import eventAudience from "./migrations/0015_event_audience.sql" with { type: "text" };
import openid from "./migrations/0016_openid.sql" with { type: "text" };
import devices from "./migrations/0017_devices.sql" with { type: "text" };
import endpointOwners from "./migrations/0018_endpoint_owners.sql" with { type: "text" };
import recoveries from "./migrations/0019_recoveries.sql" with { type: "text" };
import eventLog from "./migrations/0020_event_log.sql" with { type: "text" };
import attemptCodes from "./migrations/0021_attempt_codes.sql" with { type: "text" };
import messageRequests from "./migrations/0022_message_requests.sql" with { type: "text" };
import oneSpelling from "./migrations/0023_one_spelling.sql" with { type: "text" };
import foldedSearch from "./migrations/0024_folded_search.sql" with { type: "text" };
import heardTypes from "./migrations/0025_heard_types.sql" with { type: "text" };

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
  { name: "0011_webhook_secrets", sql: webhookSecrets },
  { name: "0012_xp_nodes", sql: xpNodes },
  { name: "0013_suspended", sql: suspended },
  { name: "0014_endpoint_health", sql: endpointHealth },
  { name: "0015_event_audience", sql: eventAudience },
  { name: "0016_openid", sql: openid },
  { name: "0017_devices", sql: devices },
  { name: "0018_endpoint_owners", sql: endpointOwners },
  { name: "0019_recoveries", sql: recoveries },
  { name: "0020_event_log", sql: eventLog },
  { name: "0021_attempt_codes", sql: attemptCodes },
  { name: "0022_message_requests", sql: messageRequests },
  { name: "0023_one_spelling", sql: oneSpelling },
  { name: "0024_folded_search", sql: foldedSearch },
  { name: "0025_heard_types", sql: heardTypes },
];
