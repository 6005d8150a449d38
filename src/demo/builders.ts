import cities from "../../data/seed/cities.json";
import companies from "../../data/seed/companies.json";
import profiles from "../../data/seed/profiles.json";
import { templates } from "./templates.ts";
import { day, timeOfGrowth, growth } from "./clock.ts";
import type { DemoBuilder } from "./community.ts";
import { vocabulary, template } from "./grammar.ts";
import { people } from "./names.ts";
import { between, type Random, randomFor, fixedFraction } from "./random.ts";

/** The members of the demo community over time, and how active they are. */
export interface Population {
  size: number;
  /**
   * Number of builders who have joined by a time, at least 1. Builders join in the order of their indexes.
   */
  joinedBy: (moment: number) => number;
  joinedAt: (index: number) => number;
  /** How active a builder is, from nearly 0 to 1. A few builders write most of the posts. */
  activity: (index: number) => number;
  /** Picks the index of a builder who has joined by a time. Active builders are picked far more often. */
  speaker: (random: Random, moment: number) => number;
}

/** Age of the community. The oldest post that is still shown is much younger. */
const age = 1000 * day;

export function populationAt(size: number, seed: number, now: number): Population {
  const opened = now - age;
  const joinedBy = (moment: number) =>
    Math.min(size, Math.max(1, Math.floor(size * growth((moment - opened) / age))));
  // The founder, the first builder that a visitor sees, is always active.
  const activity = (index: number) => Math.max(index === 0 ? 0.4 : 0, fixedFraction(seed, 21, index) ** 6);
  return {
    size,
    joinedBy,
    activity,
    joinedAt: (index) =>
      index === 0
        ? opened
        : Math.floor(opened + age * timeOfGrowth((index + 0.95 * fixedFraction(seed, 22, index)) / size)),
    speaker: (random, moment) => {
      const present = joinedBy(moment);
      let candidate = 0;
      // Takes seven tries on average. The limit only matters if no builder is active.
      for (let tries = 0; tries < 40; tries++) {
        candidate = Math.floor(random() * present);
        if (random() < activity(candidate)) break;
      }
      return candidate;
    },
  };
}

export function* demoBuilders(members: Population, seed: number, now: number): Generator<DemoBuilder> {
  if (members.size === 0) return;
  const person = people(seed);
  const bioOf = templates(bios, companyVocabulary, seed, "bios");
  const projectOf = templates(projects, companyVocabulary, seed, "projects");
  for (let index = 0; index < members.size; index++) {
    const random = randomFor(seed, 23, index);
    const joinedAt = members.joinedAt(index);
    const titles = Array.from({ length: projectCount(random) }, (_, nth) => {
      const { frame, draw } = projectOf(index * 5 + nth);
      return frame.fill(draw);
    });
    const { frame, draw } = bioOf(index);
    const bio = random() < 0.06 ? "" : frame.fill(draw).trim();
    const daysSinceJoined = Math.floor((now - joinedAt) / day);
    const xp = experience(random, members.activity(index), daysSinceJoined);
    const streakDays = streak(random, members.activity(index), daysSinceJoined);
    yield {
      ...person(index),
      bio,
      xp,
      streakDays,
      badges: badges(random, { early: index < members.size / 10, projects: titles.length, xp, streakDays }),
      projects: titles,
      joinedAt,
    };
  }
}

const companyVocabulary = vocabulary({
  craft: profiles.craft,
  past: profiles.past,
  love: profiles.love,
  thing: profiles.thing,
  city: cities.cities,
  company: companies.map(({ name, makes }) => ({ name, makes })),
});
const bios = profiles.bio.map((text) => template(companyVocabulary, text));
const projects = profiles.project.map((text) => template(companyVocabulary, text));

/** Most builders have one to three projects, some have none. */
function projectCount(random: Random): number {
  const chance = random();
  return chance < 0.2 ? 0 : chance < 0.5 ? 1 : chance < 0.75 ? 2 : chance < 0.9 ? 3 : chance < 0.97 ? 4 : 5;
}

/** Experience grows with activity and time, up to 20,000. */
function experience(random: Random, activity: number, daysSinceJoined: number): number {
  const time = Math.min(1, daysSinceJoined / 700);
  const steady = 900 * time * random();
  const active = 19_000 * activity * (0.35 + 0.65 * time) * (0.75 + 0.25 * random());
  return Math.min(20_000, Math.round(10 * random() + steady + active));
}

/**
 * Active builders have long streaks, and most others a few days. A streak is never longer than the
 * membership.
 */
function streak(random: Random, activity: number, daysSinceJoined: number): number {
  const habit = random() < 0.3 + activity ? random() : 0;
  const days = Math.floor(habit * 6 + 400 * activity * habit * random() + 40 * habit ** 8);
  return Math.min(days, daysSinceJoined, 400);
}

interface Standing {
  early: boolean;
  projects: number;
  xp: number;
  streakDays: number;
}

/** Each badge matches the figures shown beside it. */
function badges(random: Random, { early, projects: shown, xp, streakDays }: Standing): string[] {
  const earned: [string, boolean][] = [
    ["first-post", xp >= 50],
    ["early-bird", early],
    ["streak-7", streakDays >= 7],
    ["streak-30", streakDays >= 30],
    ["streak-100", streakDays >= 100],
    ["shipped-it", shown > 0 && xp >= 400],
    ["helper", xp >= 1_500 && between(random, 1, 10) <= 7],
    ["prompt-smith", xp >= 2_500 && between(random, 1, 10) <= 4],
    ["ten-thousand", xp >= 10_000],
  ];
  return earned.filter(([, has]) => has).map(([badge]) => badge);
}
