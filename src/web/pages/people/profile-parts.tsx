/** @jsxImportSource @kitajs/html */
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { BADGES, levelOf, TIERS } from "../../../core/community/xp/rules.ts";

/** The level, and how far it is to the next one. */
export function Level({ profile }: { profile: Profile }) {
  const { tier, next } = levelOf(profile);
  const words = `Level ${tier.level}${tier.badge === "" ? "" : `, ${tier.badge}`}`;
  return (
    <div class="level">
      <p>
        <strong>{words}</strong>{" "}
        <span class="quietly">
          {next === undefined
            ? "the highest there is"
            : `${(next.from - profile.xp).toLocaleString("en")} XP to level ${next.level}`}
        </span>
      </p>
      {next === undefined ? (
        ""
      ) : (
        <progress
          max={String(next.from - tier.from)}
          value={String(Math.max(0, profile.xp - tier.from))}
          aria-label={`Progress to level ${next.level}`}
        />
      )}
    </div>
  );
}

/** Why somebody has it. A badge that no rule earns was given by hand. */
const WORDS: Readonly<Record<string, string>> = {
  "post.published": "Published a first post",
  "reply.published": "Replied to fifty posts",
  "prompt.submitted": "Shared ten prompts",
  "streak.7": "Seven days in a row",
  "streak.30": "Thirty days in a row",
  "streak.100": "A hundred days in a row",
  "streak.365": "A year without a day left out",
};

function badgeWords(name: string): string {
  const tier = TIERS.find(({ badge }) => badge !== "" && badge === name);
  if (tier) return `Reached level ${tier.level}`;
  const earned = BADGES.find(({ badge }) => badge === name);
  return (earned && WORDS[earned.rule]) ?? "Given by the community";
}

export function Badges({ names }: { names: readonly string[] }) {
  return (
    <ul class="badges" aria-label="Badges">
      {names.map((name) => (
        <li>
          <span class="badge good" safe>
            {name}
          </span>{" "}
          <span class="quietly">{badgeWords(name)}</span>
        </li>
      ))}
    </ul>
  );
}
