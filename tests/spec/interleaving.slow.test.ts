import { expect, test } from "bun:test";
import fc from "fast-check";
import { authenticate } from "../../src/core/delegation/tokens/tokens.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { DAY, HOUR } from "../../src/core/base/clock.ts";
import { createPost, getPosts, listFeed } from "../../src/core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { listReplies, replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost, EDITS_PER_HOUR, listRevisions } from "../../src/core/community/feed/revisions.ts";
import { hide, restore, restoreBuilder, suspendBuilder } from "../moderate.ts";
import { deletePrompt } from "../../src/core/community/prompts/removal.ts";
import { getPrompts, submitPrompt } from "../../src/core/community/prompts/prompts.ts";
import { ratePrompt } from "../../src/core/community/prompts/ratings.ts";
import { rankOf, scoreOf } from "../../src/core/community/prompts/score.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import { type RuleName, ruleOf, TIERS, TIMES_MAX } from "../../src/core/community/xp/rules.ts";
import { listEvents } from "../../src/core/outbox/events/events.ts";
import { checkCounts } from "../../src/core/services/checkup/derived.ts";
import { checkFullText } from "../../src/core/services/checkup/full-text.ts";
import { checkXp } from "../../src/core/services/checkup/xp.ts";
import { standingByLedger, storedStanding, wrongDays } from "../ledger.ts";
import { sized } from "../drill.ts";
import { createMemberToken, createTestWorld, createMember, type TestWorld } from "../support.ts";
import { rows } from "./rows.ts";

/*
 * Runs random operations of builders and moderators and compares the community with a simple model. Counts,
 * scores and ledgers must match the facts, whatever the order of operations.
 */

const ACTS = [
  ...[
    "post",
    "reply",
    "reply",
    "reply",
    "edit",
    "edit",
    "like",
    "like",
    "like",
    "unlike",
    "deletePost",
    "hide",
    "restore",
  ],
  ...["submit", "revise", "rate", "rate", "rate", "deletePrompt", "suspend", "letIn", "letIn", "sleep"],
] as const;

const someStep = fc.record({
  act: fc.constantFrom(...ACTS),
  who: fc.nat(3),
  which: fc.nat(40),
  stars: fc.integer({ min: 1, max: 5 }),
  /** Whether the transaction is rolled back after the step. */
  isUndone: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
});
type Step = typeof someStep extends fc.Arbitrary<infer Value> ? Value : never;

interface ModelPost {
  author: number;
  /** The root post of the conversation. */
  root: string | null;
  /** The post that this reply answers, even if that post is deleted. */
  answers: string | null;
  /** All versions of the text, newest last. */
  revisions: { text: string; at: number }[];
  likes: Set<number>;
  isHidden: boolean;
  /**
   * `deleted`: by its author. `swept`: removed with its root post. Swept replies and their likes keep their
   * points.
   */
  gone: "" | "deleted" | "swept";
}

interface ModelPrompt {
  author: number;
  isHidden: boolean;
  isGone: boolean;
  /** Ratings of the current version. */
  ratings: Map<number, number>;
  /** The latest rating of each builder, of any version. */
  last: Map<number, number>;
}

class Model {
  readonly posts = new Map<string, ModelPost>();
  readonly prompts = new Map<string, ModelPrompt>();
  readonly suspended = new Set<number>();
  /** The published post events: type and id. */
  readonly published: [type: string, id: string][] = [];
  readonly people: { token: string; id: string }[];
  /**
   * Number of tries to earn points, per rule and day, and per rule, subject and giver. The model knows the
   * exact points only below the limits.
   */
  readonly tries = new Map<string, number>();

  constructor(readonly world: TestWorld) {
    this.people = NAMES.map((name) => {
      const { token, caller } = createMember(world.core, name);
      return { token, id: caller.builderId ?? "" };
    });
  }

  isOpen(id: string): boolean {
    const post = this.posts.get(id);
    if (!post || post.gone !== "" || post.isHidden) return false;
    return post.root === null || this.isOpen(post.root);
  }

  /** Records an event if the post is listed in the feed. */
  publish(type: string, id: string): void {
    const post = this.posts.get(id);
    if (post?.root !== null || post.isHidden) return;
    this.published.push([`post.${type}`, id]);
  }

  note(builder: number, rule: RuleName, subject: string, giver: number | ""): void {
    const day = Math.floor(this.world.clock.now() / DAY);
    for (const key of [`${builder} ${rule} ${day}`, `${builder} ${rule} ${subject} ${giver}`])
      this.tries.set(key, (this.tries.get(key) ?? 0) + 1);
  }

  /** Returns whether the builder is below every limit of the rule. */
  isUnlimited(builder: number, rule: RuleName): boolean {
    const { points, dailyCap = Infinity } = ruleOf(rule);
    return [...this.tries].every(
      ([key, times]) =>
        !key.startsWith(`${builder} ${rule} `) ||
        (key.split(" ").length === 3 ? times * points <= dailyCap : times <= TIMES_MAX),
    );
  }

  /** Returns the expected ledger entries: builder, rule, subject, giver. */
  expectedEntries(): string[] {
    const facts: string[] = [];
    for (const [id, { author, root, likes, isHidden, gone }] of this.posts) {
      if (isHidden || gone === "deleted") continue;
      facts.push(`${author} ${root === null ? "post" : "reply"}.published ${id} `);
      for (const liker of likes) if (liker !== author) facts.push(`${author} like.received ${id} ${liker}`);
    }
    for (const [id, { author, isHidden, isGone, last }] of this.prompts) {
      if (isHidden || isGone) continue;
      facts.push(`${author} prompt.submitted ${id} `);
      for (const [rater, stars] of last)
        if (stars >= 4) facts.push(`${author} rating.received ${id} ${rater}`);
    }
    return facts.sort();
  }
}

const NAMES = ["ada", "bo", "cy", "di"];
const DRAFT = { title: "t", body: "b", model: "m", category: "c" };
const UNDONE = new Error("undone");

/**
 * The effect of a step on the community and on the model. A refused step does not change the model.
 * `isAllowed` is the model's prediction.
 */
interface Plan {
  isAllowed: boolean;
  act(): unknown;
  then(created: unknown): void;
}

function plan(model: Model, { act, who, which, stars }: Step, caller: Caller | undefined): Plan {
  const { core } = model.world;
  const me = caller as Caller;
  const pick = (ids: Iterable<string>): string => {
    const all = [...ids];
    return all[which % Math.max(1, all.length)] ?? "";
  };
  const postId = pick(model.posts.keys());
  const promptId = pick(model.prompts.keys());
  const post = model.posts.get(postId);
  const prompt = model.prompts.get(promptId);
  const isIn = caller !== undefined;
  const addPost = (id: string, text: string, root: string | null, answers: string | null): void => {
    const edits = [{ text, at: core.clock.now() }];
    model.posts.set(id, {
      author: who,
      root,
      answers,
      revisions: edits,
      likes: new Set(),
      isHidden: false,
      gone: "",
    });
    model.note(who, root === null ? "post.published" : "reply.published", id, "");
    model.publish("created", id);
  };
  const canSee = prompt !== undefined && !prompt.isGone && !prompt.isHidden;
  switch (act) {
    case "post":
      return {
        isAllowed: isIn,
        act: () => createPost(core, me, { text: "x", tags: ["rust"] }).id,
        then: (id) => addPost(id as string, "x", null, null),
      };
    case "reply":
      return {
        isAllowed: isIn && model.isOpen(postId),
        act: () => replyTo(core, me, postId, { text: "y" }).id,
        then: (id) => addPost(id as string, "y", post?.root ?? postId, postId),
      };
    case "edit": {
      const text = `text ${stars}`;
      const [now, said] = [core.clock.now(), post?.revisions ?? []];
      const last = said.at(-1);
      const root = model.posts.get(post?.root ?? "");
      // The author of a hidden conversation can still see the conversation. Members who only replied cannot.
      const isVisible = root === undefined || !root.isHidden || root.author === who;
      const isSlow = said.length <= EDITS_PER_HOUR || now - (said.at(-EDITS_PER_HOUR)?.at ?? 0) >= HOUR;
      return {
        isAllowed:
          isIn && post?.gone === "" && post.author === who && isVisible && (isSlow || last?.text === text),
        act: () => editPost(core, me, postId, { text }),
        then() {
          if (last?.text === text) return;
          said.push({ text, at: Math.max(now, (last?.at ?? 0) + 1) });
          model.publish("updated", postId);
        },
      };
    }
    case "like":
      return {
        isAllowed: isIn && model.isOpen(postId),
        act: () => likePost(core, me, postId),
        then() {
          if (!post || post.likes.has(who)) return;
          post.likes.add(who);
          model.note(post.author, "like.received", postId, who);
        },
      };
    case "unlike":
      return {
        isAllowed: isIn && model.isOpen(postId),
        act: () => unlikePost(core, me, postId),
        then: () => void post?.likes.delete(who),
      };
    case "deletePost":
      return {
        // A reply removed with its root post is not found.
        isAllowed: isIn && post?.gone === "" && post.author === who,
        act: () => deletePost(core, me, postId),
        then() {
          model.publish("deleted", postId);
          for (const other of model.posts.values())
            if (other.root === postId && other.gone === "") other.gone = "swept";
          if (post) post.gone = "deleted";
        },
      };
    case "hide":
    case "restore": {
      const isPost = which % 2 === 0;
      const item = isPost ? post : prompt;
      return {
        isAllowed: isPost ? post?.gone === "" : prompt?.isGone === false,
        act: () => (act === "hide" ? hide : restore)(core, OPERATOR, isPost ? postId : promptId),
        then() {
          if (!item || item.isHidden === (act === "hide")) return;
          if (isPost && act === "hide") model.publish("deleted", postId);
          item.isHidden = act === "hide";
          if (isPost && act === "restore") model.publish("updated", postId);
        },
      };
    }
    case "submit":
      return {
        isAllowed: isIn,
        act: () => submitPrompt(core, me, DRAFT).id,
        then(id) {
          model.prompts.set(id as string, {
            author: who,
            isHidden: false,
            isGone: false,
            ratings: new Map(),
            last: new Map(),
          });
          model.note(who, "prompt.submitted", id as string, "");
        },
      };
    case "revise":
      return {
        isAllowed: isIn && prompt?.isGone === false && prompt.author === who,
        act: () => revisePrompt(core, me, promptId, { body: "c", note: "d" }),
        then: () => prompt?.ratings.clear(),
      };
    case "rate":
      return {
        isAllowed: isIn && canSee && prompt.author !== who,
        act: () => ratePrompt(core, me, promptId, { stars }),
        then() {
          if (!prompt) return;
          prompt.ratings.set(who, stars);
          prompt.last.set(who, stars);
          if (stars >= 4) model.note(prompt.author, "rating.received", promptId, who);
        },
      };
    case "deletePrompt":
      return {
        isAllowed: isIn && prompt?.isGone === false && prompt.author === who,
        act: () => deletePrompt(core, me, promptId),
        then() {
          if (prompt) prompt.isGone = true;
        },
      };
    case "suspend":
    case "letIn":
      return {
        isAllowed: true,
        act: () => (act === "suspend" ? suspendBuilder : restoreBuilder)(core, OPERATOR, NAMES[who] ?? ""),
        then() {
          if (act === "suspend") model.suspended.add(who);
          // A suspension ends tokens permanently, so the builder needs a new one.
          else if (model.suspended.delete(who) && model.people[who])
            model.people[who].token = createMemberToken(core, NAMES[who] ?? "").token;
        },
      };
    case "sleep":
      return { isAllowed: true, act: () => {}, then: () => model.world.clock.pass((which + 1) * HOUR) };
  }
}

/** Runs a step in the community. Applies it to the model if it was allowed and not rolled back. */
function take(model: Model, step: Step): void {
  const { core } = model.world;
  const caller = authenticate(core, model.people[step.who]?.token ?? "", () => true);
  expect(caller === undefined).toBe(model.suspended.has(step.who));
  const { isAllowed, act, then } = plan(model, step, caller);
  if (caller === undefined && !["hide", "restore", "suspend", "letIn", "sleep"].includes(step.act)) return;
  let created: unknown;
  let outcome: "done" | "undone" | "refused" = "done";
  try {
    core.db.transact(() => {
      created = act();
      if (step.isUndone) throw UNDONE;
    });
  } catch (thrown) {
    outcome = thrown === UNDONE ? "undone" : "refused";
  }
  expect([step.act, outcome !== "refused"]).toEqual([step.act, isAllowed]);
  if (outcome === "done") then(created);
}

async function expectFacts(model: Model): Promise<void> {
  const { core } = model.world;
  const reader = { ...OPERATOR, builderId: null, scopes: new Set(["feed:read", "prompts:read"] as const) };
  const open = [...model.posts.keys()].filter((id) => model.isOpen(id));
  const metricsOf = (id: string) => ({
    likes: model.posts.get(id)?.likes.size ?? -1,
    replies: under(id).length,
  });
  /**
   * Returns all replies of a root post, or the direct answers to a reply. Answers to a deleted reply still
   * count.
   */
  const under = (id: string) => {
    const isRoot = model.posts.get(id)?.root === null;
    return open.filter((other) => model.posts.get(other)?.[isRoot ? "root" : "answers"] === id);
  };
  expect(
    getPosts(core, reader, [...model.posts.keys()]).map(({ id, text, metrics, parentId, rootId }) => [
      ...[id, text, metrics, parentId, rootId],
    ]),
  ).toEqual(
    open.map((id) => {
      const { revisions: said, answers, root } = model.posts.get(id) as ModelPost;
      return [id, said.at(-1)?.text ?? "", metricsOf(id), answers, root];
    }),
  );
  for (const id of open) {
    expect(listReplies(core, reader, id, { limit: 100 }).nodes.map((reply) => reply.id)).toEqual(
      under(id).toSorted().slice(0, 100),
    );
    const revisions = listRevisions(core, reader, id, { limit: 100 }).nodes;
    expect(revisions.map(({ text, at }) => ({ text, at })).toReversed()).toEqual(
      model.posts.get(id)?.revisions ?? [],
    );
  }
  // Exactly one event per committed operation.
  const stored = rows(core, "SELECT body FROM events WHERE type LIKE 'post.%' ORDER BY id").map(
    ({ body }) => {
      const { type, data } = JSON.parse(body);
      return [type, data.post.id];
    },
  );
  expect(stored).toEqual(model.published);
  // Only visible posts are listed, with their current title. post.created is listed only for unedited posts.
  const scopes = new Set(["webhooks:read", "feed:read"] as const);
  const puller = { ...OPERATOR, builderId: "builder_none", workspaceId: "workspace_none", scopes };
  const read = (await listEvents(core, puller, {}, { limit: 100 })).nodes.flatMap(({ type, data }) =>
    type.startsWith("post.") ? [[type, data["post"]]] : [],
  );
  const listed = model.published.flatMap(([type, id]) => {
    if (type === "post.deleted") return [[type, { id }]];
    const edits = model.posts.get(id)?.revisions ?? [];
    const isListed = model.isOpen(id) && (type !== "post.created" || edits.length === 1);
    return isListed ? [[type, expect.objectContaining({ id, title: edits.at(-1)?.text })]] : [];
  });
  expect(read).toEqual(listed.slice(0, 100));
  const feed = open.filter((id) => model.posts.get(id)?.root === null);
  // Posts of suspended builders remain listed.
  for (const tag of [undefined, "rust"])
    expect(listFeed(core, reader, { tag }, { limit: 100 }).nodes.map(({ id }) => id)).toEqual(
      feed.toSorted().reverse(),
    );
  const shown = [...model.prompts].filter(([, { isGone, isHidden }]) => !isGone && !isHidden);
  expect(
    getPrompts(core, reader, [...model.prompts.keys()]).map(({ id, score, ratings }) => [id, score, ratings]),
  ).toEqual(
    shown.map(([id, { ratings }]) => [id, scoreOf(sum(ratings.values()), ratings.size), ratings.size]),
  );
  for (const [id, { ratings, isGone }] of model.prompts)
    expect(rows(core, "SELECT rank FROM prompts WHERE id = ? AND removed_at IS NULL", id)).toEqual(
      isGone ? [] : [{ rank: rankOf(sum(ratings.values()), ratings.size) }],
    );
}

function expectLedgers(model: Model): void {
  const { core } = model.world;
  const index = new Map(model.people.map(({ id }, i) => [id, String(i)]));
  const stands = rows(
    core,
    `SELECT builder_id AS builder, rule, subject_id AS subject, giver_id AS giver, sum(points) AS points
     FROM xp_entries WHERE rule NOT LIKE 'streak.%' GROUP BY builder_id, rule, subject_id, giver_id`,
  ) as { builder: string; rule: RuleName; subject: string; giver: string; points: number }[];
  for (const { rule, points } of stands) expect([0, ruleOf(rule).points]).toContain(points);
  const found = stands
    .filter(({ points }) => points > 0)
    .map(({ builder, rule, subject, giver }) =>
      [index.get(builder), rule, subject, index.get(giver) ?? ""].join(" "),
    )
    .sort();
  const expected = model.expectedEntries();
  // Every ledger entry has a matching fact in the model. Every fact has a ledger entry, unless a limit may
  // have prevented that entry.
  expect(found.filter((operation) => !expected.includes(operation))).toEqual([]);
  const isSure = (operation: string): boolean => {
    const [builder, rule] = operation.split(" ");
    return model.isUnlimited(Number(builder), rule as RuleName);
  };
  expect(expected.filter((operation) => isSure(operation) && !found.includes(operation))).toEqual([]);
  expect(wrongDays(core)).toEqual([]);
  for (const { id } of model.people) {
    const stored = storedStanding(core, id);
    expect(stored).toEqual(standingByLedger(core, id));
    const levelUps = rows(core, "SELECT body FROM events WHERE type = 'xp.level_up' ORDER BY id")
      .map(({ body }) => JSON.parse(body).data)
      .filter(({ user_id }) => user_id === id)
      .map(({ to_level }) => to_level);
    expect(levelUps.at(-1) ?? 1).toBe(stored.level);
    expect(levelUps).toEqual([...new Set(levelUps)].sort());
    expect(stored.level).toBeGreaterThanOrEqual(
      TIERS.findLast(({ from }) => stored.total >= from)?.level ?? 1,
    );
  }
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

test("counts, scores and ledgers match the stored facts after any order of operations by builders and moderators", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someStep, { minLength: 40, maxLength: 160 }), async (steps) => {
      using world = createTestWorld();
      const model = new Model(world);
      // The daily maximum for posts and prompts: 95 XP, just below the second level.
      for (const memberIndex of NAMES.keys())
        for (const act of [...Array(5).fill("post"), ...Array(3).fill("submit")] as ("post" | "submit")[])
          take(model, { act, who: memberIndex, which: 0, stars: 1, isUndone: false });
      world.clock.pass(DAY);
      for (const step of steps) take(model, step);
      await expectFacts(model);
      expectLedgers(model);
      const slices = { db: world.core.db, clock: world.clock, pause: async () => {}, progress() {} };
      const looked = [checkCounts, checkFullText, checkXp].flatMap((look) => look(slices, false));
      expect(looked.filter(({ severity }) => severity !== "ok")).toEqual([]);
    }),
    // Shrinking would take minutes, because each run creates a community. The seed is printed.
    { numRuns: sized(15, 250), endOnFailure: true },
  );
}, 600_000);
