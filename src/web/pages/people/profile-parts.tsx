/** @jsxImportSource @kitajs/html */
import type { Profile } from "../../../core/community/profiles/profiles.ts";
import { BADGES, levelOf, TIERS } from "../../../core/community/xp/rules.ts";
import { nameOfBadge } from "../../../locale/notification-text.ts";
import { sortBadges, badgeIcon } from "../../badge-icons.ts";
import type { PageContext } from "../../request/route.ts";
import type { LocaleMessages } from "../../../locale/messages.ts";

type Standing = Pick<Profile, "xp" | "badges">;

/** The rank and the progress to the next one, as a gable with one course of stones per level. */
export function Level({ ctx, profile }: { ctx: PageContext; profile: Standing }) {
  const { tier, next } = levelOf(profile);
  const messages = ctx.messages.profiles.level;
  const level = messages.level({ level: tier.level });
  return (
    <div class="level">
      <Gable ctx={ctx} profile={profile} />
      <p>
        <strong>{tier.badge === "" ? level : nameOfBadge(ctx.messages, tier.badge)}</strong>
        <span class="quietly">
          {tier.badge === "" ? "" : `${level}: `}
          {next === undefined
            ? messages.highest
            : messages.next({ points: next.from - profile.xp, level: next.level })}
        </span>
      </p>
    </div>
  );
}

/** The width of the lowest course, and by how much each higher one is narrower, in SVG units. */
const WIDTH = 66;
const STEP = 11;
const COURSE = 9;

/** One course per level. The course of the next level is filled in proportion to the progress. */
function Gable({ ctx, profile }: { ctx: PageContext; profile: Standing }) {
  const { tier, next } = levelOf(profile);
  const share =
    next === undefined ? 0 : Math.min(1, Math.max(0, (profile.xp - tier.from) / (next.from - tier.from)));
  return (
    <svg
      class="gable"
      viewBox={`-0.5 -0.5 ${WIDTH + 1} ${TIERS.length * (COURSE + 1)}`}
      {...(next === undefined
        ? { "aria-hidden": "true" }
        : {
            role: "meter",
            "aria-label": ctx.messages.profiles.level.progress({ level: next.level }),
            "aria-valuemin": "0",
            "aria-valuemax": String(next.from - tier.from),
            "aria-valuenow": String(Math.round(share * (next.from - tier.from))),
          })}
    >
      {TIERS.map(({ level }) =>
        level <= tier.level ? (
          <path class="on" d={course(level, 1)} />
        ) : (
          <>
            {level === next?.level && share > 0 ? <path class="on" d={course(level, share)} /> : ""}
            <path class="off" d={course(level, 1)} />
          </>
        ),
      )}
      <path class="door" d={`M29 ${TIERS.length * (COURSE + 1) - 1}v-5a4 4 0 0 1 8 0v5z`} />
    </svg>
  );
}

/** Returns the path of a level's course, filled to `share` (0 to 1). */
function course(level: number, share: number): string {
  const width = WIDTH - (level - 1) * STEP;
  const y = (TIERS.length - level) * (COURSE + 1);
  return `M${(WIDTH - width) / 2} ${y}h${+(width * share).toFixed(1)}v${COURSE}H${(WIDTH - width) / 2}z`;
}

/** The level of a member beside the name: its steps and its title. */
export function Rank({ ctx, profile }: { ctx: PageContext; profile: Standing }) {
  const { tier } = levelOf(profile);
  if (tier.badge === "") return "";
  const d = TIERS.slice(0, tier.level)
    .map(({ level }) => course(level, 1))
    .join("");
  return (
    <span class="rank">
      <svg viewBox={`0 0 ${WIDTH} ${TIERS.length * (COURSE + 1)}`} aria-hidden="true">
        <path d={d} />
      </svg>
      {nameOfBadge(ctx.messages, tier.badge)}
    </span>
  );
}

/** Explains how a badge is earned. A badge without a rule was given by hand. */
function badgeText({ profiles: { badges } }: LocaleMessages, name: string): string {
  const tier = TIERS.find(({ badge }) => badge !== "" && badge === name);
  if (tier) return badges.ofLevel({ level: tier.level });
  const earned = BADGES.find(({ badge }) => badge === name);
  return earned ? badges.earned[earned.badge] : badges.given;
}

/** Each badge as an icon with its name. The reason is in its title and for screen readers. */
export function Badges({ ctx, names }: { ctx: PageContext; names: readonly string[] }) {
  return (
    <ul class="badge-icons" aria-label={ctx.messages.profiles.badges.title}>
      {sortBadges(names).map((name) => {
        const { isRare, drawing } = badgeIcon(name);
        const why = badgeText(ctx.messages, name);
        return (
          <li title={why}>
            <svg class={isRare ? "badge-icon wax" : "badge-icon"} viewBox="0 0 64 64" aria-hidden="true">
              {/* The drawings are constants, so they need no escaping. */}
              {drawing}
            </svg>
            <span dir="auto" safe>
              {nameOfBadge(ctx.messages, name)}
            </span>
            <span class="unseen">{`: ${why}`}</span>
          </li>
        );
      })}
    </ul>
  );
}
