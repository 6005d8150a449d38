import { ROLES } from "../../core/identity/access/roles.ts";
import { SCOPE_NAMES, SCOPES } from "../../core/identity/access/scopes.ts";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../../core/outbox/events/catalogue.ts";
import { BADGES, type RuleName, RULES, TIERS } from "../../core/community/xp/rules.ts";
import { enumOf } from "../inputs.ts";

/*
 * Enums for values that clients compare with constants. Values that a community can add, such as badges,
 * remain strings.
 */

export const ScopeEnum = enumOf("Scope", SCOPE_NAMES, "A permission of a token.", SCOPES);

export const RoleEnum = enumOf("CommunityRole", ROLES, "A role in the community.", {
  member: "Takes part in the community.",
  moderator: "Settles reports, hides content that breaks the rules, and suspends members.",
  admin: "Runs the community, but cannot act on owners or other admins.",
  owner: "Runs the whole community.",
});

export const EventTypeEnum = enumOf(
  "EventType",
  ALL_EVENT_NAMES,
  "The type of an event.",
  Object.fromEntries(
    ALL_EVENT_NAMES.map((type) => [type, `\`${type}\`: ${CATALOGUE[type].label}.`]),
  ) as Record<AnyEventType, string>,
);

const RULE_NAMES = Object.keys(RULES) as RuleName[];
export const XpRuleEnum = enumOf(
  "XpRule",
  RULE_NAMES,
  "A rule that awards XP.",
  Object.fromEntries(RULE_NAMES.map((name) => [name, `${RULES[name].label}.`])) as Record<RuleName, string>,
);

const EARNED = [...TIERS.map(({ badge }) => badge), ...BADGES.map(({ badge }) => badge)].filter(Boolean);
const BADGE_DESCRIPTIONS = Object.fromEntries([
  ...TIERS.map(({ badge, level, from }) => [
    badge,
    `Level ${level}, reached with ${from.toLocaleString("en-US")} XP.`,
  ]),
  ...BADGES.map(({ badge, rule, times }) => [
    badge,
    `${RULES[rule].label}${times === 1 ? "" : ` (${times} times)`}.`,
  ]),
]) as Record<string, string>;
export const BadgeEnum = enumOf("Badge", EARNED, "A badge that everyone can earn.", BADGE_DESCRIPTIONS);

/** Returns the stored values that belong to the enum. */
export function knownValues<Word extends string>(known: readonly Word[], texts: readonly string[]): Word[] {
  return texts.filter((text): text is Word => (known as readonly string[]).includes(text));
}

export function knownBadges(badges: readonly string[]): string[] {
  return knownValues(EARNED, badges);
}

export function knownRule(rule: string): RuleName | null {
  return knownValues(RULE_NAMES, [rule])[0] ?? null;
}
