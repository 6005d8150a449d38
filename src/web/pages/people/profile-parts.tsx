/** @jsxImportSource @kitajs/html */
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { BADGES, levelOf, TIERS } from "../../../core/community/xp/rules.ts";
import { nameOfBadge } from "../../parts/sentences.ts";
import type { PageAsk } from "../../request/route.ts";
import type { Words } from "../../words/words.ts";

/** The level, and how far it is to the next one. */
export function Level({ ask, profile }: { ask: PageAsk; profile: Profile }) {
  const { tier, next } = levelOf(profile);
  const words = ask.words.people.level;
  return (
    <div class="level">
      <p>
        <strong>
          {tier.badge === ""
            ? words.level(tier.level)
            : words.levelWith(tier.level, nameOfBadge(ask.words, tier.badge))}
        </strong>{" "}
        <span class="quietly">
          {next === undefined ? words.highest : words.next(next.from - profile.xp, next.level)}
        </span>
      </p>
      {next === undefined ? (
        ""
      ) : (
        <progress
          max={String(next.from - tier.from)}
          value={String(Math.max(0, profile.xp - tier.from))}
          aria-label={words.progress(next.level)}
        />
      )}
    </div>
  );
}

/** Why somebody has it. A badge that no rule earns was given by hand. */
function badgeWords({ people: { badges } }: Words, name: string): string {
  const tier = TIERS.find(({ badge }) => badge !== "" && badge === name);
  if (tier) return badges.ofLevel(tier.level);
  const earned = BADGES.find(({ badge }) => badge === name);
  return earned ? badges.earned[earned.badge] : badges.given;
}

export function Badges({ ask, names }: { ask: PageAsk; names: readonly string[] }) {
  return (
    <ul class="badges" aria-label={ask.words.people.badges.title}>
      {names.map((name) => (
        <li>
          <span class="badge good" safe>
            {nameOfBadge(ask.words, name)}
          </span>{" "}
          <span class="quietly">{badgeWords(ask.words, name)}</span>
        </li>
      ))}
    </ul>
  );
}
