// Written by `bun run generate` from the files of migrations/.
// Never edit a released migration. Add a new one.
import m0001 from "./migrations/0001_foundation.sql" with { type: "text" };
import m0002 from "./migrations/0002_accounts.sql" with { type: "text" };
import m0003 from "./migrations/0003_delivery.sql" with { type: "text" };
import m0004 from "./migrations/0004_oauth.sql" with { type: "text" };
import m0005 from "./migrations/0005_feed.sql" with { type: "text" };
import m0006 from "./migrations/0006_jobs.sql" with { type: "text" };
import m0007 from "./migrations/0007_xp.sql" with { type: "text" };
import m0008 from "./migrations/0008_messages.sql" with { type: "text" };
import m0009 from "./migrations/0009_directory.sql" with { type: "text" };
import m0010 from "./migrations/0010_deletion.sql" with { type: "text" };
import m0011 from "./migrations/0011_webhook_secrets.sql" with { type: "text" };
import m0012 from "./migrations/0012_xp_nodes.sql" with { type: "text" };
import m0013 from "./migrations/0013_suspended.sql" with { type: "text" };
import m0014 from "./migrations/0014_endpoint_health.sql" with { type: "text" };
import m0015 from "./migrations/0015_event_audience.sql" with { type: "text" };
import m0016 from "./migrations/0016_openid.sql" with { type: "text" };
import m0017 from "./migrations/0017_devices.sql" with { type: "text" };
import m0018 from "./migrations/0018_endpoint_owners.sql" with { type: "text" };
import m0019 from "./migrations/0019_recoveries.sql" with { type: "text" };
import m0020 from "./migrations/0020_event_log.sql" with { type: "text" };
import m0021 from "./migrations/0021_attempt_codes.sql" with { type: "text" };
import m0022 from "./migrations/0022_message_requests.sql" with { type: "text" };
import m0023 from "./migrations/0023_one_spelling.sql" with { type: "text" };
import m0024 from "./migrations/0024_folded_search.sql" with { type: "text" };
import m0025 from "./migrations/0025_heard_types.sql" with { type: "text" };
import m0026 from "./migrations/0026_arrivals.sql" with { type: "text" };
import m0027 from "./migrations/0027_lineage.sql" with { type: "text" };
import m0028 from "./migrations/0028_former_keys.sql" with { type: "text" };
import m0029 from "./migrations/0029_event_traces.sql" with { type: "text" };
import m0030 from "./migrations/0030_history.sql" with { type: "text" };
import m0031 from "./migrations/0031_quotas.sql" with { type: "text" };
import m0032 from "./migrations/0032_notifications.sql" with { type: "text" };
import m0033 from "./migrations/0033_revisions.sql" with { type: "text" };
import m0034 from "./migrations/0034_search.sql" with { type: "text" };
import m0035 from "./migrations/0035_media.sql" with { type: "text" };
import m0036 from "./migrations/0036_push.sql" with { type: "text" };
import m0037 from "./migrations/0037_mentions.sql" with { type: "text" };
import m0038 from "./migrations/0038_following.sql" with { type: "text" };
import m0043 from "./migrations/0043_threads.sql" with { type: "text" };
import m0046 from "./migrations/0046_mail.sql" with { type: "text" };
import m0047 from "./migrations/0047_renames.sql" with { type: "text" };
import m0048 from "./migrations/0048_visits.sql" with { type: "text" };
import m0049 from "./migrations/0049_invitations.sql" with { type: "text" };
import m0050 from "./migrations/0050_roles.sql" with { type: "text" };
import m0051 from "./migrations/0051_charter.sql" with { type: "text" };
import m0052 from "./migrations/0052_invited.sql" with { type: "text" };
import m0053 from "./migrations/0053_newcomers.sql" with { type: "text" };
import m0054 from "./migrations/0054_languages.sql" with { type: "text" };
import m0055 from "./migrations/0055_logo.sql" with { type: "text" };
import m0056 from "./migrations/0056_weeks_and_first_steps.sql" with { type: "text" };
import m0057 from "./migrations/0057_applications.sql" with { type: "text" };
import m0058 from "./migrations/0058_leadership.sql" with { type: "text" };
import m0059 from "./migrations/0059_titles.sql" with { type: "text" };
import m0060 from "./migrations/0060_mail_kinds.sql" with { type: "text" };
import m0061 from "./migrations/0061_reach_lanes.sql" with { type: "text" };
import m0062 from "./migrations/0062_bounces.sql" with { type: "text" };
import m0063 from "./migrations/0063_mails_by_kind.sql" with { type: "text" };
import m0065 from "./migrations/0065_mail_marks.sql" with { type: "text" };
import m0067 from "./migrations/0067_suspended_access.sql" with { type: "text" };
import m0068 from "./migrations/0068_new_mail_addresses.sql" with { type: "text" };
import m0071 from "./migrations/0071_event_subjects.sql" with { type: "text" };
import m0072 from "./migrations/0072_report_copies.sql" with { type: "text" };
import m0073 from "./migrations/0073_not_me_links.sql" with { type: "text" };
import m0074 from "./migrations/0074_digest_retries.sql" with { type: "text" };
import m0075 from "./migrations/0075_job_titles.sql" with { type: "text" };
import m0076 from "./migrations/0076_hidden_things.sql" with { type: "text" };
import m0077 from "./migrations/0077_served_failures.sql" with { type: "text" };
import m0078 from "./migrations/0078_pending_deletions.sql" with { type: "text" };
import m0079 from "./migrations/0079_application_language.sql" with { type: "text" };
import m0080 from "./migrations/0080_filter_index.sql" with { type: "text" };

/** Migrations in the order of their application. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0001_foundation", sql: m0001 },
  { name: "0002_accounts", sql: m0002 },
  { name: "0003_delivery", sql: m0003 },
  { name: "0004_oauth", sql: m0004 },
  { name: "0005_feed", sql: m0005 },
  { name: "0006_jobs", sql: m0006 },
  { name: "0007_xp", sql: m0007 },
  { name: "0008_messages", sql: m0008 },
  { name: "0009_directory", sql: m0009 },
  { name: "0010_deletion", sql: m0010 },
  { name: "0011_webhook_secrets", sql: m0011 },
  { name: "0012_xp_nodes", sql: m0012 },
  { name: "0013_suspended", sql: m0013 },
  { name: "0014_endpoint_health", sql: m0014 },
  { name: "0015_event_audience", sql: m0015 },
  { name: "0016_openid", sql: m0016 },
  { name: "0017_devices", sql: m0017 },
  { name: "0018_endpoint_owners", sql: m0018 },
  { name: "0019_recoveries", sql: m0019 },
  { name: "0020_event_log", sql: m0020 },
  { name: "0021_attempt_codes", sql: m0021 },
  { name: "0022_message_requests", sql: m0022 },
  { name: "0023_one_spelling", sql: m0023 },
  { name: "0024_folded_search", sql: m0024 },
  { name: "0025_heard_types", sql: m0025 },
  { name: "0026_arrivals", sql: m0026 },
  { name: "0027_lineage", sql: m0027 },
  { name: "0028_former_keys", sql: m0028 },
  { name: "0029_event_traces", sql: m0029 },
  { name: "0030_history", sql: m0030 },
  { name: "0031_quotas", sql: m0031 },
  { name: "0032_notifications", sql: m0032 },
  { name: "0033_revisions", sql: m0033 },
  { name: "0034_search", sql: m0034 },
  { name: "0035_media", sql: m0035 },
  { name: "0036_push", sql: m0036 },
  { name: "0037_mentions", sql: m0037 },
  { name: "0038_following", sql: m0038 },
  { name: "0043_threads", sql: m0043 },
  { name: "0046_mail", sql: m0046 },
  { name: "0047_renames", sql: m0047 },
  { name: "0048_visits", sql: m0048 },
  { name: "0049_invitations", sql: m0049 },
  { name: "0050_roles", sql: m0050 },
  { name: "0051_charter", sql: m0051 },
  { name: "0052_invited", sql: m0052 },
  { name: "0053_newcomers", sql: m0053 },
  { name: "0054_languages", sql: m0054 },
  { name: "0055_logo", sql: m0055 },
  { name: "0056_weeks_and_first_steps", sql: m0056 },
  { name: "0057_applications", sql: m0057 },
  { name: "0058_leadership", sql: m0058 },
  { name: "0059_titles", sql: m0059 },
  { name: "0060_mail_kinds", sql: m0060 },
  { name: "0061_reach_lanes", sql: m0061 },
  { name: "0062_bounces", sql: m0062 },
  { name: "0063_mails_by_kind", sql: m0063 },
  { name: "0065_mail_marks", sql: m0065 },
  { name: "0067_suspended_access", sql: m0067 },
  { name: "0068_new_mail_addresses", sql: m0068 },
  { name: "0071_event_subjects", sql: m0071 },
  { name: "0072_report_copies", sql: m0072 },
  { name: "0073_not_me_links", sql: m0073 },
  { name: "0074_digest_retries", sql: m0074 },
  { name: "0075_job_titles", sql: m0075 },
  { name: "0076_hidden_things", sql: m0076 },
  { name: "0077_served_failures", sql: m0077 },
  { name: "0078_pending_deletions", sql: m0078 },
  { name: "0079_application_language", sql: m0079 },
  { name: "0080_filter_index", sql: m0080 },
];
