import places from "../../data/seed/cities.json";
import companies from "../../data/seed/companies.json";
import texts from "../../data/seed/jobs.json";
import { day, timeline } from "./clock.ts";
import type { DemoJob, Seniority } from "./community.ts";
import { deck } from "./shuffled-deck.ts";
import { type Draw, type Fill, vocabulary, template } from "./grammar.ts";
import { between, mix, pick, type Random, randomFor, sample } from "./random.ts";

/** The jobs of the last 59 days, oldest first. All of them are still on the jobs board the next day. */
export function* demoJobs(count: number, seed: number, now: number): Generator<DemoJob> {
  const postedAt = timeline(count, now - 59 * day, now, seed, 41);
  const familyOf = deck(families.length, mix(seed, 42, 0));
  const makersOf = deck(makers.length, mix(seed, 42, 1));
  const deviceMakersOf = deck(deviceMakers.length, mix(seed, 42, 2));
  for (let index = 0; index < count; index++) {
    const random = randomFor(seed, 43, index);
    const family = families[familyOf(index)];
    // Only device makers have embedded jobs. All other jobs can be at any company.
    const company =
      family?.slug === "embedded"
        ? deviceMakers[deviceMakersOf(Math.floor(index / families.length))]
        : makers[makersOf(index)];
    if (family === undefined || company === undefined) return;
    yield job(random, seed, index, family, company, postedAt(index));
  }
}

interface Family {
  slug: string;
  titles: string[];
  pay: number;
  stacks: string[][];
  do: Fill[];
  requirements: Fill[];
  first: Fill[];
}

type Company = (typeof companies)[number];
type Country = keyof typeof places.countries;

const words = vocabulary({ company: companies.map(({ name, makes, users }) => ({ name, makes, users })) });

const families: Family[] = texts.families.map((family) => ({
  ...family,
  do: compiled(family.do),
  requirements: compiled(family.look),
  first: compiled(family.first),
}));

const shared = {
  intro: compiled(texts.shared.intro),
  stack: compiled(texts.shared.stack),
  how: compiled(texts.shared.how),
  give: compiled(texts.shared.give),
  lead: compiled(texts.shared.lead),
  intern: compiled(texts.shared.intern),
  junior: compiled(texts.shared.junior),
  close: compiled(texts.shared.close),
};

const techNames: Readonly<Record<string, string>> = texts.tech;
const makers: readonly Company[] = companies;
const deviceMakers = makers.filter(({ devices }) => devices);

/**
 * For each level: how often jobs ask for it, its salary relative to a senior engineer, and the prefix of the
 * job title.
 */
const levels: Record<Seniority, { weight: number; pay: number; prefix: string }> = {
  intern: { weight: 5, pay: 0.36, prefix: "Internship: " },
  junior: { weight: 13, pay: 0.6, prefix: "Junior " },
  mid: { weight: 27, pay: 0.79, prefix: "" },
  senior: { weight: 34, pay: 1, prefix: "Senior " },
  staff: { weight: 9, pay: 1.26, prefix: "Staff " },
  principal: { weight: 3, pay: 1.48, prefix: "Principal " },
  lead: { weight: 9, pay: 1.18, prefix: "Lead " },
};

/** Salaries of remote work in a region. A region has no country from which the salary could be derived. */
const regions: Readonly<Record<string, { currency: string; pay: number; step: number }>> = {
  Europe: { currency: "EUR", pay: 72_000, step: 1_000 },
  Americas: { currency: "USD", pay: 128_000, step: 1_000 },
  "Asia-Pacific": { currency: "USD", pay: 84_000, step: 1_000 },
  "Middle East and Africa": { currency: "USD", pay: 62_000, step: 1_000 },
  Worldwide: { currency: "USD", pay: 96_000, step: 1_000 },
};

const headings = [
  ["What you’ll do", "What we’re looking for", "How we work", "What we offer"],
  ["The role", "About you", "How we work", "Benefits"],
  ["Your work here", "What helps", "Our habits", "Perks"],
  ["In this role, you will", "You’re a good fit if", "Day to day", "What you get"],
] as const;

function job(
  random: Random,
  seed: number,
  index: number,
  family: Family,
  company: Company,
  postedAt: number,
): DemoJob {
  const seniority = levelOf(random);
  const stack = pick(random, family.stacks);
  const role = pick(random, family.titles.slice(0, random() < 0.5 ? 1 : undefined));
  const title = titleOf(random, role, seniority, stack);
  const place = placeOf(random, company);
  const draw: Draw = {
    random,
    seed,
    round: between(random, 0, 999),
    words: stackVocabulary(stack),
    bound: new Map(),
    choose: () => companies.indexOf(company),
  };
  return {
    company: { slug: company.slug, name: company.name },
    title,
    description: description(random, draw, family, seniority),
    ...place.shown,
    seniority,
    stack: [...stack],
    salary: salary(random, place.pay, levels[seniority].pay * family.pay),
    applyUrl: "mailto:jobs+" + (index + 1000) + "@" + company.slug + ".example",
    postedAt,
  };
}

function levelOf(random: Random): Seniority {
  let left = random() * 100;
  for (const level of Object.keys(levels) as Seniority[]) {
    left -= levels[level].weight;
    if (left < 0) return level;
  }
  return "senior";
}

function titleOf(random: Random, role: string, seniority: Seniority, stack: readonly string[]): string {
  const main = techNames[stack[0] ?? ""] ?? "";
  const detail = random() < 0.3 && main !== "" && !role.includes(",") ? " (" + main + ")" : "";
  return levels[seniority].prefix + role + detail;
}

interface Pay {
  currency: string;
  pay: number;
  step: number;
}

/** Chooses the location: one of the company's cities, or anywhere in a country, a region or the world. */
function placeOf(
  random: Random,
  company: Company,
): { shown: Pick<DemoJob, "location" | "city" | "remote">; pay: Pay } {
  const home = pick(random, company.cities);
  const city = places.cities.find(({ slug }) => slug === home);
  if (city === undefined) throw new Error(company.slug + " is in a city that is not listed");
  const country = places.countries[city.country as Country];
  if (random() >= 0.35) {
    return {
      shown: { location: city.name + ", " + city.country, city: city.slug, remote: false },
      pay: country,
    };
  }
  const reach = random();
  const based = random() < 0.3 ? city.slug : null;
  const area = reach < 0.25 ? city.country : reach < 0.85 ? country.region : "Worldwide";
  const pay = reach < 0.25 ? country : (regions[area] ?? country);
  return {
    shown: { location: "Remote (" + area + ")", city: area === "Worldwide" ? null : based, remote: true },
    pay,
  };
}

/** A salary range of realistic width, rounded to a usual step of the currency. */
function salary(random: Random, { currency, pay, step }: Pay, factor: number): DemoJob["salary"] {
  const middle = pay * factor * (0.92 + 0.16 * random());
  const spread = 0.06 + 0.08 * random();
  const min = Math.max(step, Math.round((middle * (1 - spread)) / step) * step);
  const max = Math.max(min + step, Math.round((middle * (1 + spread)) / step) * step);
  return { min, max, currency };
}

function stackVocabulary(stack: readonly string[]): Record<string, string> {
  const names = stack.map((slug) => techNames[slug] ?? slug);
  const store = stack.find((slug) => ["postgres", "sqlite", "mysql"].includes(slug));
  return {
    main: names[0] ?? "",
    second: names[1] ?? "",
    store: store === undefined ? "SQL" : (techNames[store] ?? store),
    stack: names.slice(0, -1).join(", ") + " and " + names.at(-1),
  };
}

function description(random: Random, draw: Draw, family: Family, seniority: Seniority): string {
  const [work, you, habits, offer] = pick(random, headings);
  const list = (title: string, fills: readonly Fill[], count: number) =>
    "**" +
    title +
    "**\n\n" +
    sample(random, fills, count)
      .map((fill) => "- " + fill(draw))
      .join("\n");
  const beginner = seniority === "intern" || seniority === "junior";
  const requirements = [
    ...sample(random, expectations(seniority), beginner ? 3 : 2),
    ...sample(random, family.requirements, seniority === "intern" ? 1 : beginner ? 2 : 3),
  ];
  return [
    pick(random, shared.intro)(draw) + " " + pick(random, shared.stack)(draw),
    list(work, family.do, between(random, 3, 5)),
    list(you, requirements, requirements.length),
    list(habits, shared.how, between(random, 2, 3)),
    pick(random, family.first)(draw),
    list(offer, shared.give, between(random, 3, 4)),
    pick(random, shared.close)(draw),
  ].join("\n\n");
}

function expectations(seniority: Seniority): readonly Fill[] {
  if (seniority === "intern") return shared.intern;
  if (seniority === "junior") return shared.junior;
  return seniority === "mid" || seniority === "senior" ? [] : shared.lead;
}

function compiled(list: readonly string[]): Fill[] {
  return list.map((text) => template(words, text).fill);
}
