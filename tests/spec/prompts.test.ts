// Tests docs/contract.md#V2.3, docs/contract.md#V4.10 and docs/contract.md#4.9.
import { expect, test } from "bun:test";
import { rankOf, scoreOf } from "../../src/core/community/prompts/score.ts";
import { createMember, openTestServer } from "../support.ts";
import { call, clientOf, refusalOf } from "./client.ts";
import { addPrompts } from "./rows.ts";

const titles = (received: { body: { data: { title: string }[] } }) =>
  received.body.data.map(({ title }) => title);
const times = (count: number, rating: number): number[] => Array(count).fill(rating);

test("a prompt has exactly id, title, body, model, category, score and author", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const [id = ""] = addPrompts(server, caller, { title: "Review", ratings: [5, 4, 4] });
  const { data } = await clientOf(server, token).GET("/prompts");
  expect(data).toStrictEqual({
    data: [
      {
        id,
        title: "Review",
        body: "Review, line by line.",
        model: "sonnet",
        category: "review",
        score: 4.33,
        author: { username: "ada" },
      },
    ],
    next: null,
  });
});

test("score is the mean rating from 0 to 5, rounded to two decimals, and 0 without ratings", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  const sketches: [ratings: number[], score: number][] = [
    [[], 0],
    [[1], 1],
    [[5], 5],
    [[5, 4], 4.5],
    [[1, 1, 2], 1.33],
    [[1, 2, 2], 1.67],
    [[...times(7, 1), 2], 1.13], // 1.125 rounds up
    [[...times(39, 1), 2], 1.03], // 1.025, which is slightly less in binary floating point
    [[...times(199, 5), 4], 5], // 4.995
  ];
  addPrompts(server, caller, ...sketches.map(([ratings], i) => ({ title: String(i), ratings })));
  const { body } = await call(server, token, "GET /prompts");
  const scores = new Map(
    body.data.map(({ title, score }: { title: string; score: number }) => [title, score]),
  );
  for (const [i, [, score]] of sketches.entries()) expect([i, scores.get(String(i))]).toEqual([i, score]);
});

test("score: any ratings round to the nearest hundredth", () => {
  const wrong: string[] = [];
  for (let count = 1; count <= 300; count++) {
    for (let sum = count; sum <= 5 * count; sum++) {
      // Integer arithmetic, because a division would round.
      const hundredths = Math.floor((200 * sum + count) / (2 * count));
      if (scoreOf(sum, count) !== hundredths / 100) wrong.push(`${sum}/${count}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("prompts are ordered by the Bayesian mean: one 5-star vote does not outrank forty good ones", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  addPrompts(
    server,
    caller,
    { title: "forty good", ratings: times(40, 4) }, // (15 + 160) / 45 = 3.89
    { title: "one five", ratings: [5] }, // (15 + 5) / 6 = 3.33
    { title: "unrated", ratings: [] }, // 3
    { title: "ten threes", ratings: times(10, 3) }, // 3
    { title: "one bad", ratings: [1] }, // 2.67
    { title: "forty bad", ratings: times(40, 1) }, // 1.22
  );
  const order = ["forty good", "one five", "ten threes", "unrated", "one bad", "forty bad"];
  expect(titles(await call(server, token, "GET /prompts"))).toEqual(order);
  expect([rankOf(160, 40), rankOf(5, 1), rankOf(0, 0)]).toEqual([175 / 45, 20 / 6, 3]);
});

test("prompts of equal rank: newest first", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  addPrompts(server, caller, ...["1", "2", "3", "4"].map((title) => ({ title, ratings: [4, 4] })));
  server.clock.pass(-60_000); // as old as the one before it
  addPrompts(server, caller, { title: "5", ratings: [4, 4] });
  expect(titles(await call(server, token, "GET /prompts"))).toEqual(["5", "4", "3", "2", "1"]);
});

test("model and category filter by slug; an unknown slug returns an empty page", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  addPrompts(
    server,
    caller,
    { title: "1", model: "sonnet", category: "review" },
    { title: "2", model: "sonnet", category: "test" },
    { title: "3", model: "gpt-5.2", category: "review" },
  );
  for (const [query, found] of [
    ["", ["3", "2", "1"]],
    ["?model=sonnet", ["2", "1"]],
    ["?model=gpt-5.2", ["3"]],
    ["?category=review", ["3", "1"]],
    ["?model=sonnet&category=review", ["1"]],
    ["?model=gpt-5.2&category=test", []],
    ["?model=nobody", []],
    ["?category=nothing", []],
    ["?colour=blue", ["3", "2", "1"]],
  ] as const) {
    expect([query, ...titles(await call(server, token, `GET /prompts${query}`))]).toEqual([query, ...found]);
  }
  for (const field of ["model", "category"]) {
    for (const value of ["Sonnet", "a%20b", "a".repeat(51), `a&${field}=b`]) {
      expect(await refusalOf(server, token, `GET /prompts?${field}=${value}`)).toBe(`400 ${field}`);
    }
  }
});

test("min_score: only prompts with score >= the value, from 0 to 5", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  addPrompts(
    server,
    caller,
    { title: "unrated" },
    { title: "4.33", ratings: [5, 4, 4] },
    { title: "5", ratings: times(20, 5) },
    { title: "1", ratings: [1], model: "other" },
  );
  for (const [minScore, found] of [
    ["0", ["5", "4.33", "unrated", "1"]],
    ["0.01", ["5", "4.33", "1"]],
    ["1", ["5", "4.33", "1"]],
    ["4.33", ["5", "4.33"]], // the rounded score, not the exact mean
    ["4.333", ["5"]],
    ["4.34", ["5"]],
    ["5", ["5"]],
    ["5.0", ["5"]],
    ["0&model=other", ["1"]],
    ["2&model=other", []],
    ["4&category=review&model=sonnet", ["5", "4.33"]],
  ] as const) {
    const response = await call(server, token, `GET /prompts?min_score=${minScore}`);
    expect([minScore, ...titles(response)]).toEqual([minScore, ...found]);
  }
  for (const value of [
    "5.1",
    "5.0000001",
    "-1",
    "-0.1",
    "6",
    "abc",
    "",
    "1e0",
    "0x1",
    "NaN",
    "4,5",
    "%205",
    "1&min_score=2",
  ]) {
    expect([value, await refusalOf(server, token, `GET /prompts?min_score=${value}`)]).toEqual([
      value,
      "400 min_score",
    ]);
  }
});

test("limit: 1 to 100, default 20", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  server.core.db.transact(() => addPrompts(server, caller, ...Array(101).fill({})));
  const size = async (query: string) => titles(await call(server, token, `GET /prompts${query}`)).length;
  expect(await size("")).toBe(20);
  expect(await size("?limit=1")).toBe(1);
  expect(await size("?limit=100")).toBe(100);
  for (const limit of ["0", "101", "1.5", "abc"]) {
    expect(await refusalOf(server, token, `GET /prompts?limit=${limit}`)).toBe("400 limit");
  }
});
