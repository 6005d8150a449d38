import { describe, expect, test } from "bun:test";
import {
  type Community,
  type CommunitySize,
  demoCommunity,
  type DemoJob,
  type DemoPost,
} from "../../src/demo/community.ts";
import { deck, wordingIndex } from "../../src/demo/shuffled-deck.ts";
import { vocabulary, template } from "../../src/demo/grammar.ts";
import { people } from "../../src/demo/names.ts";
import names from "../../data/seed/names.json";

const now = Date.UTC(2025, 10, 20, 15);
const day = 86_400_000;
const full: CommunitySize = { builders: 200, posts: 5_000, jobs: 500, prompts: 300 };
const slug = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;
const handle = /^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?$/;
const taken = new Set(
  (
    "me admin api graphql v1 oauth settings docs jobs prompts posts messages setup sign-in sign-up healthz " +
    "metrics"
  ).split(" "),
);

const whole = allRows(demoCommunity(full, 1, now));

describe("the demo community", () => {
  test("is the same for the same size, seed and moment", () => {
    expect(allRows(demoCommunity(full, 1, now))).toEqual(whole);
  });

  test("can be read twice", () => {
    const { posts } = demoCommunity({ ...full, posts: 20 }, 1, now);
    expect([...posts]).toEqual([...posts]);
  });

  test("differs for another seed", () => {
    const other = allRows(demoCommunity(full, 2, now));
    expect(other.builders.map((builder) => builder.username)).not.toEqual(
      whole.builders.map((builder) => builder.username),
    );
    const known = new Set(whole.posts.map((post) => post.text));
    expect(other.posts.slice(0, 100).filter((post) => known.has(post.text)).length).toBeLessThan(50);
    expect(other.jobs[0]).not.toEqual(whole.jobs[0]);
    expect(other.prompts[0]).not.toEqual(whole.prompts[0]);
  });

  test("has the requested number of everything", () => {
    expect(whole.builders).toHaveLength(full.builders);
    expect(whole.posts).toHaveLength(full.posts);
    expect(whole.jobs).toHaveLength(full.jobs);
    expect(whole.prompts).toHaveLength(full.prompts);
  });

  test("keeps its random streams apart: the number of jobs or prompts does not change the posts", () => {
    const fewer = allRows(demoCommunity({ ...full, jobs: 3, prompts: 7 }, 1, now));
    expect(fewer.posts).toEqual(whole.posts);
    expect(fewer.builders).toEqual(whole.builders);
    const quiet = allRows(demoCommunity({ ...full, posts: 5 }, 1, now));
    expect(quiet.jobs).toEqual(whole.jobs);
    expect(quiet.prompts).toEqual(whole.prompts);
  });

  test("can be empty", () => {
    const none = allRows(demoCommunity({ builders: 0, posts: 0, jobs: 0, prompts: 0 }, 1, now));
    expect(none).toEqual({ builders: [], posts: [], jobs: [], prompts: [] });
  });

  test("has no posts without builders, though jobs need none", () => {
    const ghost = allRows(demoCommunity({ builders: 0, posts: 9, jobs: 2, prompts: 9 }, 1, now));
    expect([ghost.posts.length, ghost.jobs.length, ghost.prompts.length]).toEqual([0, 2, 0]);
  });

  test("can be a single builder with one post, one job and one prompt", () => {
    for (let seed = 0; seed < 50; seed++) {
      const item = allRows(demoCommunity({ builders: 1, posts: 1, jobs: 1, prompts: 1 }, seed, now));
      expect([item.builders.length, item.posts.length, item.jobs.length, item.prompts.length]).toEqual([
        1, 1, 1, 1,
      ]);
      expect(item.posts[0]).toMatchObject({ author: 0, likes: 0, replies: [] });
      expect(item.prompts[0]).toMatchObject({ author: 0, ratings: [] });
      expect(item.builders[0]?.joinedAt).toBeLessThanOrEqual(item.posts[0]?.createdAt ?? 0);
    }
  });

  test("leaves no placeholder unfilled", () => {
    const left = allTexts(whole).filter((text) => /\{[a-z^0-9|]|\bNaN\b|\[object/.test(text));
    expect(left).toEqual([]);
  });

  test("writes clean lines without double spaces, stray blanks or doubled words", () => {
    for (const text of allTexts(whole).map(withoutCode)) {
      expect(text).toBe(text.trim());
      expect(text).not.toMatch(/\S {2,}\S/);
      expect(text).not.toMatch(/ [,;!?]/);
      expect(text).not.toMatch(/\b(\p{L}{2,}) \1\b/u);
      expect(text).not.toMatch(/\b[Aa] (?:8|11|18|80)\b/);
    }
  });

  test("is lazy: the first ten of a million posts cost less than all of five thousand", () => {
    const first: DemoPost[] = [];
    const ten = costOf(() => {
      for (const post of demoCommunity({ ...full, posts: 1_000_000 }, 1, now).posts)
        if (first.push(post) === 10) break;
    });
    expect(first).toHaveLength(10);
    expect(ten).toBeLessThan(costOf(() => allRows(demoCommunity(full, 1, now))));
  });

  test("costs in proportion to its size: four times as much takes less than ten times the work", () => {
    const times = (size: number): CommunitySize => ({
      builders: full.builders * size,
      posts: full.posts * size,
      jobs: full.jobs * size,
      prompts: full.prompts * size,
    });
    const least = (size: number): number =>
      Math.min(...[1, 2, 3].map((seed) => costOf(() => allRows(demoCommunity(times(size), seed, now)))));
    expect(least(4)).toBeLessThan(10 * least(1));
  });
});

describe("builders", () => {
  test("are listed in the order in which they joined, all before now", () => {
    expect(ascending(whole.builders.map((builder) => builder.joinedAt))).toBe(true);
    for (const builder of whole.builders) expectMoment(builder.joinedAt, 0);
  });

  test("have usernames that are well formed, free and unique, even 120,000 of them", () => {
    const names = new Set<string>();
    const { builders } = demoCommunity({ ...full, builders: 120_000 }, 5, now);
    for (const { username } of builders) {
      if (!handle.test(username) || taken.has(username)) throw new Error("bad username " + username);
      names.add(username);
    }
    expect(names.size).toBe(120_000);
  });

  test("have no clashing usernames for any seed", () => {
    // Each pair of names is used once before numbers are added. A few pairs at the end are never used.
    const [firsts, lasts] = [names.flatMap(({ first }) => first), names.flatMap(({ last }) => last)];
    const person = people(7);
    const handles = Array.from({ length: firsts.length * lasts.length - 4 }, (_, i) => person(i).username);
    expect(handles.length).toBeGreaterThan(10_000);
    expect(new Set(handles).size).toBe(handles.length);
    expect(handles.every((name) => handle.test(name) && !/[0-9]/.test(name) && name.length <= 28)).toBe(true);
  });

  test("have a full name each, and a bio of one line if any", () => {
    expect(new Set(whole.builders.map((builder) => builder.name)).size).toBe(full.builders);
    for (const { name, bio } of whole.builders) {
      expect(name).toMatch(/^\p{Lu}\S* \S/u);
      expect(bio.length).toBeLessThanOrEqual(160);
      expect(bio).not.toContain("\n");
    }
  });

  test("have badges that agree with their experience and their streak", () => {
    for (const { xp, streakDays, badges, projects, joinedAt } of whole.builders) {
      expect(Number.isInteger(xp) && xp >= 0 && xp <= 20_000).toBe(true);
      expect(Number.isInteger(streakDays) && streakDays >= 0 && streakDays <= 400).toBe(true);
      expect(streakDays).toBeLessThanOrEqual((now - joinedAt) / day);
      expect(projects.length).toBeLessThanOrEqual(5);
      expect(new Set(projects).size).toBe(projects.length);
      expect(badges.includes("first-post")).toBe(xp >= 50);
      expect(badges.includes("streak-30")).toBe(streakDays >= 30);
      expect(badges.includes("streak-100")).toBe(streakDays >= 100);
      if (badges.includes("shipped-it")) expect(projects.length).toBeGreaterThan(0);
      expect(badges.every((badge) => slug.test(badge))).toBe(true);
    }
  });
});

describe("posts", () => {
  test("ascend through the last year, and the newest is from the last hour", () => {
    expect(ascending(whole.posts.map((post) => post.createdAt))).toBe(true);
    for (const post of whole.posts) expectMoment(post.createdAt, 365);
    expect(whole.posts.at(-1)?.createdAt).toBeGreaterThan(now - 3_600_000);
  });

  test("get denser over the year, and are rarer at night", () => {
    const late = whole.posts.filter((post) => post.createdAt > now - 90 * day).length;
    const early = whole.posts.filter((post) => post.createdAt < now - 275 * day).length;
    expect(late).toBeGreaterThan(1.2 * early);
    const hours = whole.posts.map((post) => new Date(post.createdAt).getUTCHours());
    const night = hours.filter((hour) => hour < 5).length;
    expect(night).toBeLessThan(hours.filter((hour) => hour >= 9 && hour < 14).length / 2);
  });

  test("keep the limits on text and tags, and contain no dead link", () => {
    for (const post of whole.posts) {
      expectText(post.text, 1, 2_000);
      expect(post.tags.length).toBeLessThanOrEqual(5);
      expect(new Set(post.tags).size).toBe(post.tags.length);
      expect(post.tags.every((tag) => slug.test(tag) && tag.length <= 50)).toBe(true);
      // Demo texts contain no URLs, because their links would lead nowhere.
      expect([post.text, ...post.replies.map(({ text }) => text)].join(" ")).not.toMatch(/https?:/);
      expect(Number.isInteger(post.likes) && post.likes >= 0 && post.likes < full.builders).toBe(true);
    }
    expect(new Set(whole.posts.flatMap((post) => post.tags)).size).toBeGreaterThan(35);
  });

  test("are written by members, never before they joined, and a few write most", () => {
    const counts = new Map<number, number>();
    for (const { author, createdAt } of whole.posts) {
      expect(whole.builders[author]?.joinedAt).toBeLessThanOrEqual(createdAt);
      counts.set(author, (counts.get(author) ?? 0) + 1);
    }
    const sorted = [...counts.values()].sort((a, b) => b - a);
    const topTwenty = sorted.slice(0, 20).reduce((sum, count) => sum + count, 0);
    expect(topTwenty).toBeGreaterThan(full.posts / 3);
    expect(sorted.length).toBeGreaterThan(60);
  });

  test("get replies from members after them, about 0.4 each and at most 8", () => {
    for (const post of whole.posts) {
      const moments = post.replies.map((reply) => reply.createdAt);
      expect(ascending([post.createdAt, ...moments])).toBe(true);
      for (const reply of post.replies) {
        expectMoment(reply.createdAt, 365);
        expectText(reply.text, 1, 2_000);
        expect(whole.builders[reply.author]?.joinedAt).toBeLessThanOrEqual(reply.createdAt);
        expect(Number.isInteger(reply.likes) && reply.likes >= 0).toBe(true);
      }
      expect(post.replies[0]?.author).not.toBe(post.author);
    }
    const counts = whole.posts.map((post) => post.replies.length);
    const average = counts.reduce((sum, count) => sum + count, 0) / full.posts;
    expect(average).toBeGreaterThan(0.33);
    expect(average).toBeLessThan(0.5);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  });

  test("do not repeat a sentence within a hundred posts", () => {
    for (const seed of [1, 2, 3]) {
      const seen = new Map<string, number>();
      const repeats: string[] = [];
      let at = 0;
      for (const { text } of demoCommunity({ ...full, posts: 2_000 }, seed, now).posts) {
        for (const sentence of sentences(text)) {
          const before = seen.get(sentence);
          if (before !== undefined && before !== at && at - before < 100) repeats.push(sentence);
          seen.set(sentence, at);
        }
        at += 1;
      }
      expect(repeats.length).toBeLessThanOrEqual(2);
    }
  });

  test("have a hundred different texts among the first hundred, for many seeds", () => {
    for (let seed = 0; seed < 20; seed++) {
      const texts = [...demoCommunity({ ...full, posts: 100 }, seed, now).posts].map((post) => post.text);
      expect(new Set(texts).size).toBe(100);
    }
  });

  test("name the weekday on which they are written", () => {
    const roundUps = whole.posts.filter((post) => / round-up:/.test(post.text));
    expect(roundUps.length).toBeGreaterThan(3);
    for (const { text, createdAt } of roundUps) {
      const today = new Date(createdAt).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
      expect(text).toStartWith(today);
    }
  });
});

describe("jobs", () => {
  test("ascend through the last sixty days", () => {
    expect(ascending(whole.jobs.map((job) => job.postedAt))).toBe(true);
    for (const job of whole.jobs) expectMoment(job.postedAt, 60);
  });

  test("describe the work at length and name the tools", () => {
    for (const job of whole.jobs) {
      expectText(job.description, 600, 2_000);
      expect(job.stack.length).toBeGreaterThanOrEqual(2);
      expect(job.stack.length).toBeLessThanOrEqual(6);
      expect(job.stack.every((tool) => slug.test(tool))).toBe(true);
      expect(job.description).toContain(job.company.name);
      expect(levelOf(job)).toBe(true);
      expect(job.applyUrl).toMatch(new RegExp("^mailto:jobs\\+[0-9]+@" + job.company.slug + "\\.example$"));
    }
    expect(new Set(whole.jobs.map((job) => job.applyUrl)).size).toBe(full.jobs);
  });

  test("are in a city, or remote about a third of the time", () => {
    const remote = whole.jobs.filter((job) => job.remote);
    expect(remote.length).toBeGreaterThan(full.jobs * 0.27);
    expect(remote.length).toBeLessThan(full.jobs * 0.43);
    for (const job of whole.jobs) {
      if (job.remote) expect(job.location).toMatch(/^Remote \(.+\)$/);
      else expect(job.location).toMatch(/^\S.*, \S/);
      if (!job.remote) expect(job.city).not.toBeNull();
      if (job.city !== null) expect(job.city).toMatch(slug);
    }
  });

  test("pay in whole units of the local currency, more to the more senior", () => {
    for (const { salary, location } of whole.jobs) {
      expect(Number.isInteger(salary.min) && Number.isInteger(salary.max)).toBe(true);
      expect(salary.min).toBeGreaterThan(0);
      expect(salary.min).toBeLessThan(salary.max);
      expect(salary.currency).toMatch(/^[A-Z]{3}$/);
      if (location.endsWith(", Germany")) expect(salary.currency).toBe("EUR");
      if (location.endsWith(", Japan")) expect(salary.currency).toBe("JPY");
    }
    const middle = (seniority: DemoJob["seniority"]) => {
      const found = whole.jobs.filter((job) => job.seniority === seniority && job.salary.currency === "EUR");
      return found.reduce((sum, job) => sum + job.salary.min, 0) / found.length;
    };
    expect(middle("junior")).toBeLessThan(middle("senior"));
    expect(middle("senior")).toBeLessThan(middle("staff"));
  });
});

describe("prompts", () => {
  test("ascend through the last year and are written by members", () => {
    expect(ascending(whole.prompts.map((prompt) => prompt.createdAt))).toBe(true);
    for (const { createdAt, author } of whole.prompts) {
      expectMoment(createdAt, 365);
      expect(whole.builders[author]?.joinedAt).toBeLessThanOrEqual(createdAt);
    }
  });

  test("are worth reading: a title, a body, a model, a category and ratings", () => {
    for (const { title, body, model, category, ratings } of whole.prompts) {
      expectText(title, 5, 120);
      expectText(body, 150, 1_500);
      expect([model, category].every((word) => slug.test(word))).toBe(true);
      expect(ratings.length).toBeLessThanOrEqual(60);
      expect(ratings.every((rating) => Number.isInteger(rating) && rating >= 1 && rating <= 5)).toBe(true);
    }
    expect(new Set(whole.prompts.map((prompt) => prompt.category)).size).toBeGreaterThanOrEqual(8);
  });
});

describe("a deck", () => {
  test("deals every card once per round, and keeps a card away for three quarters of a deck", () => {
    for (const size of [1, 2, 5, 22, 36, 123]) {
      const deal = deck(size, 9);
      const cards = Array.from({ length: size * 6 }, (_, step) => deal(step));
      for (let round = 0; round < 6; round++) {
        expect(new Set(cards.slice(round * size, (round + 1) * size)).size).toBe(size);
      }
      const apart = Math.floor((size * 3) / 4);
      cards.forEach((card, at) => expect(cards.slice(at + 1, at + apart)).not.toContain(card));
    }
  });

  test("uses each wording before it repeats any", () => {
    for (let size = 2; size < 9; size++) {
      for (let id = 0; id < 20; id++) {
        const rounds = Array.from({ length: 60 }, (_, round) => wordingIndex(size, round, 1, id));
        expect(new Set(rounds).size).toBe(size);
        expect(rounds.every((option, round) => option !== rounds[round - 1])).toBe(true);
      }
    }
  });
});

describe("the grammar", () => {
  const words = vocabulary({ pet: [{ name: "otter", food: ["fish", "crabs"] }] });
  const fill = (text: string) =>
    template(words, text).fill({
      random: () => 0,
      seed: 1,
      round: 0,
      words: { today: "Monday" },
      bound: new Map(),
      choose: () => 0,
    });

  test("fills fields, capitals, words, numbers and alternatives, and leaves code alone", () => {
    expect(fill("The {pet.name} eats {pet.food} and {pet.food+1}.")).toBe("The otter eats fish and crabs.");
    expect(fill("{^pet.name}, {today}, {3..9}, {1200..1300,}")).toBe("Otter, Monday, 3, 1,200");
    expect(["one otter", "two"]).toContain(fill("{one {pet.name}|two}"));
    expect(fill("const a = { b: 1 }; f({}); a | b")).toBe("const a = { b: 1 }; f({}); a | b");
  });

  test("refuses what it cannot fill at compile time, not at use", () => {
    expect(() => template(words, "{pet.colour}")).toThrow("no pet.colour");
    expect(() => template(words, "{Pet Name}")).toThrow("unreadable slot");
    expect(() => template(words, "{pet.name")).toThrow("unclosed slot");
  });
});

function allRows(community: Community) {
  return {
    builders: [...community.builders],
    posts: [...community.posts],
    jobs: [...community.jobs],
    prompts: [...community.prompts],
  };
}

/** CPU time of `work` in microseconds, independent of other load on the machine. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

function allTexts({ builders, posts, jobs, prompts }: ReturnType<typeof allRows>): string[] {
  return [
    ...builders.flatMap((builder) => [builder.name, builder.bio, ...builder.projects]),
    ...posts.flatMap((post) => [post.text, ...post.replies.map((reply) => reply.text)]),
    ...jobs.flatMap((job) => [job.title, job.description, job.location]),
    ...prompts.flatMap((prompt) => [prompt.title, prompt.body]),
  ];
}

/** Replaces code, which has its own spacing. */
function withoutCode(text: string): string {
  return text.replaceAll(/```[^]*?```|`[^`]*`/g, "code");
}

/** Whole sentences and lines, which readers recognise. Skips headings such as “Next:”. */
function sentences(text: string): string[] {
  return withoutCode(text)
    .split(/\n|(?<=[.!?:])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= 18);
}

function ascending(moments: readonly number[]): boolean {
  return moments.every((moment, at) => at === 0 || moment >= (moments[at - 1] ?? 0));
}

/**
 * Checks that `moment` is in whole milliseconds, not in the future and at most `days` old. 0 allows any age.
 */
function expectMoment(moment: number, days: number): void {
  expect(Number.isInteger(moment)).toBe(true);
  expect(moment).toBeLessThanOrEqual(now);
  if (days > 0) expect(moment).toBeGreaterThanOrEqual(now - days * day);
}

function expectText(text: string, least: number, most: number): void {
  const length = [...text].length;
  expect(length).toBeGreaterThanOrEqual(least);
  expect(length).toBeLessThanOrEqual(most);
  expect(text).not.toContain("\0");
}

/** Whether the title names the level. The middle level is not named. */
function levelOf({ title, seniority }: DemoJob): boolean {
  if (seniority === "intern") return title.startsWith("Internship: ");
  if (seniority === "mid") return !/^(?:Junior|Senior|Staff|Principal|Lead|Internship)\b/.test(title);
  return title.toLowerCase().startsWith(seniority + " ");
}
