import { type RuleName, RULES } from "../../../core/community/xp/rules.ts";
import type { Cause } from "../../../core/community/xp/ledger.ts";
import { IDENTITY_SCOPES } from "../../../core/delegation/oauth/subjects.ts";
import { type Scope, SCOPES } from "../../../core/identity/access/scopes.ts";
import { type Act, ACTS, type Detail } from "../../../core/identity/audit/acts.ts";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../../../core/outbox/events/catalogue.ts";
import { FAILURES, type FailureCode } from "../../../core/outbox/deliveries/failures.ts";
import { GIVEN_UP, type GivenUp } from "../../../core/outbox/deliveries/cleanup.ts";
import { DISABLED_REASONS, type DisabledCode } from "../../../core/outbox/webhooks/health.ts";
import type { Sentence } from "../sentence.ts";
import { plural } from "./forms.ts";

/** How many there are of it. */
const count = (detail: Detail, part: string): number => Number(detail[part] ?? 0);

/**
 * What was done to an account. A word in braces stands for that part of the act's detail; where something is
 * counted, the sentence is made of the detail.
 */
const acts: Readonly<Record<Act, string | ((detail: Detail) => string)>> = {
  ...ACTS,
  "account.secured": (detail) =>
    `Secured the account: ended were ${[
      plural(count(detail, "sessions"), { one: "1 session", other: "{n} sessions" }),
      plural(count(detail, "tokens"), { one: "1 token", other: "{n} tokens" }),
      plural(count(detail, "apps"), { one: "1 connected app", other: "{n} connected apps" }),
      plural(count(detail, "endpoints"), { one: "1 webhook endpoint", other: "{n} webhook endpoints" }),
    ].join(", ")} and ${plural(count(detail, "links"), { one: "1 link", other: "{n} links" })}`,
};

/** What earned points, and what became of them. */
const xp: {
  rules: Readonly<Record<RuleName, string>>;
  causes: Readonly<Record<Cause, (rule: string) => string>>;
} = {
  rules: Object.fromEntries(Object.entries(RULES).map(([name, { words }]) => [name, words])) as Record<
    RuleName,
    string
  >,
  causes: {
    earned: (rule) => rule,
    undone: (rule) => `Taken back: ${rule}`,
    hidden: (rule) => `Hidden by a moderator: ${rule}`,
    restored: (rule) => `Given back: ${rule}`,
  },
};

/** What somebody allows an app or a token. */
const scopes: Readonly<Record<Scope | keyof typeof IDENTITY_SCOPES, string>> = {
  ...IDENTITY_SCOPES,
  ...SCOPES,
};

/** «It hears when …». */
const events = Object.fromEntries(ALL_EVENT_NAMES.map((type) => [type, CATALOGUE[type].words])) as Readonly<
  Record<AnyEventType, string>
>;

/** Why an attempt of a delivery failed, why a delivery is tried no more, and why an endpoint is off. */
const failures: Readonly<Record<FailureCode, Sentence>> = FAILURES;
const givenUp: Readonly<Record<GivenUp, string>> = GIVEN_UP;
const disabled: Readonly<Record<DisabledCode, string>> = DISABLED_REASONS;

/** What the core knows by a code: in English in its own words. */
export const codes = { acts, xp, scopes, events, failures, givenUp, disabled };
