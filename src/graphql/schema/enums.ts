import { ROLES } from "../../core/identity/access/roles.ts";
import { SCOPE_NAMES, SCOPES } from "../../core/identity/access/scopes.ts";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "../../core/outbox/events/catalogue.ts";
import { BADGES, type RuleName, RULES, TIERS } from "../../core/community/xp/rules.ts";
import { enumOf } from "../inputs.ts";

/*
 * Words that programs branch on, as enums. What the community can add to (a badge that it gives by name)
 * stays a text beside them.
 */

export const ScopeEnum = enumOf("Scope", SCOPE_NAMES, "What a token may be allowed to do.", SCOPES);

export const RoleEnum = enumOf("CommunityRole", ROLES, "What somebody may do for the community.", {
  member: "What everybody may.",
  moderator: "Settles reports, hides what breaks the rules, suspends members.",
  admin: "Runs the community, but for owners and other admins.",
  owner: "Everything.",
});

export const EventTypeEnum = enumOf(
  "EventType",
  ALL_EVENT_NAMES,
  "What can happen.",
  Object.fromEntries(
    ALL_EVENT_NAMES.map((type) => [type, `\`${type}\`: ${CATALOGUE[type].words}.`]),
  ) as Record<AnyEventType, string>,
);

const RULE_NAMES = Object.keys(RULES) as RuleName[];
export const XpRuleEnum = enumOf(
  "XpRule",
  RULE_NAMES,
  "What gives experience points.",
  Object.fromEntries(RULE_NAMES.map((name) => [name, `${RULES[name].words}.`])) as Record<RuleName, string>,
);

const EARNED = [...TIERS.map(({ badge }) => badge), ...BADGES.map(({ badge }) => badge)].filter(Boolean);
export const BadgeEnum = enumOf("Badge", EARNED, "What everybody can earn.");

/** The stored words that the enum has. */
export function knownValues<Word extends string>(words: readonly Word[], texts: readonly string[]): Word[] {
  return texts.filter((text): text is Word => (words as readonly string[]).includes(text));
}

export function knownBadges(badges: readonly string[]): string[] {
  return knownValues(EARNED, badges);
}

export function knownRule(rule: string): RuleName | null {
  return knownValues(RULE_NAMES, [rule])[0] ?? null;
}
