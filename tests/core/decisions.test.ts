// docs/contract.md#12.37: decisions of moderators and their undo.
import { expect, test } from "bun:test";
import { DAY, HOUR, isoTime } from "../../src/core/base/clock.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createPost, getPost } from "../../src/core/community/feed/feed.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { versionOf } from "../../src/core/community/reports/cases.ts";
import { hold } from "../../src/core/community/holding/holding.ts";
import { hidePost } from "../../src/core/community/feed/removal.ts";
import { sendMessage } from "../../src/core/community/messages/messages.ts";
import { type BuilderCaller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";
import { listAudit, listModerationLog } from "../../src/core/identity/audit/audit.ts";
import { findRestriction, isLimited } from "../../src/core/identity/standing/standing.ts";
import { TOKEN_ACTS_AN_HOUR } from "../../src/core/services/moderation/act-limit.ts";
import { BUILDER_SCOPES } from "../../src/core/identity/access/scopes.ts";
import { removeSpammers } from "../../src/core/services/moderation/spam.ts";
import {
  type Act,
  ACT_FACTS,
  ACTS,
  type ActDraft,
  LIMITING_ACTS,
} from "../../src/core/services/moderation/acts.ts";
import {
  decide,
  decideMany,
  getDecision,
  listDecisions,
} from "../../src/core/services/moderation/decisions.ts";
import { addCaseNote, getCase } from "../../src/core/services/moderation/cases.ts";
import { appeal, decideAppeal } from "../../src/core/services/moderation/appeals.ts";
import { dismissReport, reopenReport, report } from "../../src/core/services/moderation/reports.ts";
import { endRestrictions } from "../../src/core/services/moderation/restrictions.ts";
import { reportAsStranger } from "../../src/core/services/moderation/stranger-reports.ts";
import {
  undoDecision,
  undoDecisionsInBatches,
  undoDecisionsOf,
} from "../../src/core/services/moderation/undo.ts";
import { listNotifications } from "../../src/core/services/notifications/notifications.ts";
import { createMemberToken, createTestWorld, signedInNow } from "../support.ts";
import { outcomeOf, refusalOf } from "./people.ts";

const REASON = "Off topic";
const codeOf = async (work: () => unknown) => (await refusalOf(work)).code;

function add(core: Core, username: string, role: Role = "member"): BuilderCaller {
  return signedInNow(core, { builderId: createBuilder(core, OPERATOR, { username, name: username, role }) });
}

function community() {
  const world = createTestWorld();
  const { core } = world;
  const people = {
    olga: add(core, "olga", "owner"),
    ada: add(core, "ada", "admin"),
    mo: add(core, "mo", "moderator"),
    may: add(core, "may", "moderator"),
    bob: add(core, "bob"),
    cy: add(core, "cy"),
  };
  const post = createPost(core, people.bob, { text: "Cheap followers" });
  return { ...world, ...people, post, world };
}

const draftOf = (act: Act, more: Partial<ActDraft> = {}): ActDraft => ({
  act,
  ...((LIMITING_ACTS as readonly Act[]).includes(act) ? { reason: REASON } : {}),
  ...more,
});

test("only moderators decide, and acts on an account need a lower role", async () => {
  using there = community().world;
  const { core } = there;
  const accountActs = ["warn", "limit", "suspend", "remove_spammer"] as const;
  const may: Record<string, Record<string, boolean>> = {};
  let count = 0;
  for (const actor of ["member", "moderator", "admin", "owner"] as const)
    for (const target of ["member", "moderator", "admin", "owner"] as const)
      for (const act of [...accountActs, "hide", "lock"] as const) {
        count++;
        const caller = add(core, `actor-${count}`, actor);
        const to = add(core, `target-${count}`, target);
        const isAccountAct = (accountActs as readonly string[]).includes(act);
        const id = isAccountAct ? to.builderId : createPost(core, to, { text: `Text ${count}` }).id;
        const isDone = (await outcomeOf(() => decide(core, caller, id, draftOf(act)))) === "done";
        (may[`${actor} ${target}`] ??= {})[isAccountAct ? "account" : "content"] = isDone;
      }
  const ranks = ["member", "moderator", "admin", "owner"];
  for (const [pair, { account, content }] of Object.entries(may)) {
    const [actor = "", target = ""] = pair.split(" ");
    const isModerator = actor !== "member";
    expect([pair, account, content]).toEqual([
      pair,
      isModerator && ranks.indexOf(target) < ranks.indexOf(actor),
      isModerator,
    ]);
  }
});

test("each act needs a moderator, and a recent sign-in if its table says so", async () => {
  const { world, core, clock, mo, bob } = community();
  using _world = world;
  const stale = add(core, "stale", "moderator");
  clock.pass(HOUR);
  const credentials = {
    "a member": signedInNow(core, bob),
    "a token without a scope": createMemberToken(core, "mo", BUILDER_SCOPES).caller,
    "an app": { ...createMemberToken(core, "mo", BUILDER_SCOPES).caller, means: "app" as const },
    "an old sign-in": stale,
    "a recent sign-in": signedInNow(core, mo),
    "a token": createMemberToken(core, "mo", ["moderation"]).caller,
    "the operator": OPERATOR,
  };
  const refusals: Record<string, string> = {
    "a member": "moderator_only",
    "a token without a scope": "scope_missing",
    "an app": "scope_missing",
  };
  for (const act of ACTS)
    for (const [name, caller] of Object.entries(credentials)) {
      const isStale = name === "an old sign-in" && ACT_FACTS[act].isGuarded;
      // The rights come before the subject. Nobody has reported the unknown one, so there is nothing to
      // dismiss.
      const unknown = act === "dismiss" ? "act_done" : "subject_unknown";
      const code = await codeOf(() => decide(core, caller, "post_01kafzq8e5f2r8v0j3n6s1t4wx", draftOf(act)));
      expect([act, name, code]).toEqual([act, name, refusals[name] ?? (isStale ? "sign_in_again" : unknown)]);
    }
  const removal = { usernames: ["nobody"], hosts: [], reason: REASON };
  for (const [name, caller] of Object.entries(credentials)) {
    const expected = refusals[name] ?? (name === "an old sign-in" ? "sign_in_again" : "builder_unknown");
    expect([name, await codeOf(() => removeSpammers(core, caller, removal))]).toEqual([name, expected]);
  }
});

test("an act that limits a member needs a reason, and only a limit or suspension ends at a time", async () => {
  const { world, core, clock, mo, bob, post } = community();
  using _world = world;
  for (const act of LIMITING_ACTS)
    expect([act, await codeOf(() => decide(core, mo, post.id, { act }))]).toEqual([act, "reason_missing"]);
  const until = isoTime(clock.now() + DAY);
  for (const act of ACTS.filter((one) => one !== "limit" && one !== "suspend"))
    expect(await codeOf(() => decide(core, mo, post.id, draftOf(act, { until })))).toBe("until_unused");
  const past = { until: isoTime(clock.now()) };
  expect(await codeOf(() => decide(core, mo, bob.builderId, draftOf("limit", past)))).toBe("until_past");
  const rule = { rule: "No such rule" };
  expect(await codeOf(() => decide(core, mo, post.id, draftOf("hide", rule)))).toBe("rule_unknown");
});

test("a decision is stored, notified and logged with its reason", () => {
  const { world, core, mo, ada, bob, post } = community();
  using _world = world;
  const decision = decide(core, mo, post.id, draftOf("hide"));
  expect(decision).toMatchObject({ act: "hide", builder: "bob", by: "mo", reason: REASON, undone: null });
  const [notification] = listNotifications(core, bob, {}, { limit: 1 }).nodes;
  expect(notification).toMatchObject({ kind: "decision", about: REASON });
  const [entry] = listAudit(core, ada, { of: "all" }, { limit: 1 }).nodes;
  expect(entry).toMatchObject({ act: "thing.hidden", detail: { reason: REASON } });
  expect(listDecisions(core, mo, { builder: "bob", act: "hide" }, { limit: 5 }).nodes).toHaveLength(1);
  expect(listDecisions(core, mo, { moderator: "may" }, { limit: 5 }).nodes).toHaveLength(0);
});

test("every act is in the log of moderation with its reason, and fires an event, as does its undo", () => {
  const { world, core, mo, olga, bob, cy, post } = community();
  using _world = world;
  const events = () => core.db.prepare("SELECT 1 FROM events WHERE type = 'decision.made'").all().length;
  const newest = () => listModerationLog(core, mo, {}, { limit: 1 }).nodes[0];
  const { id: reportId } = report(core, cy, { kind: "post", id: post.id }, { reason: "Rude" });
  const doAct = (act: Act, id: string) => {
    const before = events();
    const decision = decide(core, mo, id, draftOf(act, { reason: `Because of ${act}` }));
    expect([act, newest()?.detail["reason"], events()]).toEqual([act, `Because of ${act}`, before + 1]);
    return decision;
  };
  doAct("dismiss", post.id);
  for (const act of ["hide", "restore", "lock", "unlock"] as const) doAct(act, post.id);
  // A suspension replaces the suspension before it.
  for (const act of ["warn", "limit", "unlimit", "suspend", "suspend", "unsuspend"] as const)
    doAct(act, bob.builderId);
  doAct("suspend", bob.builderId);
  const removed = doAct("remove_spammer", bob.builderId);
  expect(newest()?.act).toBe("builder.removed");
  const before = events();
  undoDecision(core, mo, removed.id);
  expect(newest()).toMatchObject({ act: "decision.undone", detail: { act: "remove_spammer" } });
  const warned = decide(core, mo, cy.builderId, draftOf("warn"));
  appeal(core, cy, warned.id, { text: "Please" });
  decideAppeal(core, olga, warned.id, { outcome: "denied", answer: "No." });
  expect(newest()).toMatchObject({ act: "appeal.decided", actor: "olga", detail: { reason: "No." } });
  const dismissed = report(core, cy, { kind: "builder", id: bob.builderId }, { reason: "Rude" });
  dismissReport(core, mo, dismissed.id);
  const version = versionOf(core, bob.builderId);
  reopenReport(core, mo, dismissed.id);
  expect(versionOf(core, bob.builderId)).toBe(version + 1);
  // The undo puts the earlier suspension in force again.
  expect(events() - before).toBe(5);
  expect(reportId).not.toBe(dismissed.id);
});

test("a member's own log names the reason of a decision, and not the moderator", () => {
  const { world, core, mo, ada, bob, post } = community();
  using _world = world;
  for (const act of ["hide", "lock"] as const) decide(core, mo, post.id, draftOf(act));
  for (const act of ["warn", "limit", "unlimit", "suspend", "unsuspend"] as const)
    decide(core, mo, bob.builderId, draftOf(act));
  const restored = decide(core, mo, post.id, { act: "restore" });
  undoDecision(core, mo, restored.id);
  const warned = decide(core, ada, bob.builderId, draftOf("warn"));
  appeal(core, bob, warned.id, { text: "Please" });
  decideAppeal(core, mo, warned.id, { outcome: "denied", answer: "No." });
  const own = listAudit(core, bob, { of: "mine" }, { limit: 20 }).nodes;
  const decided = own.filter(({ act }) => /^(thing|thread|decision|builder|appeal\.decided)/.test(act));
  expect(new Set(decided.map(({ act }) => act)).size).toBeGreaterThan(7);
  expect(decided.filter(({ actor, address }) => actor !== null || address !== null)).toEqual([]);
  expect(JSON.stringify(own)).not.toContain('"mo"');
  expect(JSON.stringify(own)).toContain(REASON);
});

test("of two moderators at once, one wins, and the other learns who decided", async () => {
  const { world, core, mo, may, post } = community();
  using _world = world;
  const expectedVersion = versionOf(core, post.id);
  decide(core, mo, post.id, draftOf("hide", { expectedVersion }));
  expect(await codeOf(() => decide(core, may, post.id, { act: "restore", expectedVersion }))).toBe(
    "case_decided",
  );
  expect(getPost(core, mo, post.id).hiddenAt).not.toBeNull();
});

test("all decisions of a moderator are undone in batches, between which other requests run", async () => {
  const { world, core, ada, mo, bob } = community();
  using _world = world;
  const since = core.clock.now();
  const posts = Array.from({ length: 60 }, (_, i) => createPost(core, bob, { text: `Post ${i}` }).id);
  for (const id of posts) decide(core, mo, id, draftOf("hide"));
  let writes = 0;
  const { undone } = await undoDecisionsInBatches(core, ada, { moderator: "mo", since }, (change) => {
    writes++;
    return core.db.write(change);
  });
  expect(undone).toHaveLength(60);
  // One to find the decisions, and one for each batch of 50.
  expect(writes).toBe(3);
});

test("a moderator undoes no decision about content that they deleted", async () => {
  const { world, core, mo, may, bob } = community();
  using _world = world;
  const { id } = createPost(core, mo, { text: "Cheap followers" });
  report(core, bob, { kind: "post", id }, { reason: "Spam" });
  deletePost(core, mo, id);
  const upheld = decide(core, may, id, draftOf("hide"));
  expect(await codeOf(() => undoDecision(core, mo, upheld.id))).toBe("own_cause");
  undoDecision(core, may, upheld.id);
});

test("a locked thread takes replies of moderators only, until it is unlocked", async () => {
  const { world, core, mo, bob, cy, post } = community();
  using _world = world;
  const reply = replyTo(core, cy, post.id, { text: "Why?" });
  decide(core, mo, reply.id, draftOf("lock"));
  for (const id of [post.id, reply.id])
    for (const caller of [bob, cy])
      expect(await codeOf(() => replyTo(core, caller, id, { text: "So" }))).toBe("thread_locked");
  replyTo(core, mo, post.id, { text: "Locked, because it is off topic." });
  decide(core, mo, post.id, { act: "unlock" });
  replyTo(core, bob, post.id, { text: "Thanks" });
});

test("a limited member writes to no stranger, until the limit ends", async () => {
  const { world, core, clock, mo, bob, cy } = community();
  using _world = world;
  sendMessage(core, cy, { to: "bob", text: "Hello" });
  decide(core, mo, bob.builderId, draftOf("limit", { until: isoTime(clock.now() + DAY) }));
  expect(isLimited(core, bob.builderId)).toBe(true);
  sendMessage(core, bob, { to: "cy", text: "Hello" });
  expect(await codeOf(() => sendMessage(core, bob, { to: "may", text: "Hi" }))).toBe("limited_messages");
  clock.pass(DAY);
  expect(isLimited(core, bob.builderId)).toBe(false);
  sendMessage(core, bob, { to: "may", text: "Hi" });
});

test("a suspension ends at its time, and a suspension for good does not", async () => {
  const { world, core, clock, mo, bob, cy } = community();
  using _world = world;
  const until = clock.now() + DAY;
  decide(core, mo, bob.builderId, draftOf("suspend", { until: isoTime(until) }));
  decide(core, mo, cy.builderId, draftOf("suspend"));
  expect(findRestriction(core, bob.builderId, "suspended")).toMatchObject({ until });
  await endRestrictions(core);
  expect(findRestriction(core, bob.builderId, "suspended")).toBeDefined();
  clock.pass(DAY);
  await endRestrictions(core);
  expect(findRestriction(core, bob.builderId, "suspended")).toBeUndefined();
  expect(findRestriction(core, cy.builderId, "suspended")).toMatchObject({ until: null });
});

test("an undo returns to the state before, and cannot be repeated", async () => {
  const { world, core, mo, bob, post } = community();
  using _world = world;
  const hidden = decide(core, mo, post.id, draftOf("hide"));
  undoDecision(core, mo, hidden.id);
  expect(getPost(core, bob, post.id).hiddenAt).toBeNull();
  expect(await codeOf(() => undoDecision(core, mo, hidden.id))).toBe("undo_over");
  const first = decide(core, mo, bob.builderId, draftOf("limit"));
  const second = decide(core, mo, bob.builderId, draftOf("limit"));
  undoDecision(core, mo, second.id);
  expect(isLimited(core, bob.builderId)).toBe(true);
  undoDecision(core, mo, first.id);
  expect(isLimited(core, bob.builderId)).toBe(false);
  const suspended = decide(core, mo, bob.builderId, draftOf("suspend"));
  undoDecision(core, mo, suspended.id);
  expect(findRestriction(core, bob.builderId, "suspended")).toBeUndefined();
});

test("all acts of one moderator since a moment are undone together, and later acts of others win", () => {
  const { world, core, clock, ada, mo, may, bob, cy, post } = community();
  using _world = world;
  const good = decide(core, may, post.id, draftOf("hide"));
  clock.pass(1000);
  const since = clock.now();
  const other = createPost(core, cy, { text: "Mine" });
  decide(core, mo, post.id, { act: "restore" });
  decide(core, mo, bob.builderId, draftOf("suspend"));
  const overruled = decide(core, mo, other.id, draftOf("hide"));
  decide(core, may, other.id, { act: "restore" });
  const { undone, kept } = undoDecisionsOf(core, ada, { moderator: "mo", since });
  expect(undone.map(({ act }) => act)).toEqual(["suspend", "restore"]);
  expect(kept.map(({ id }) => id)).toEqual([overruled.id]);
  expect(findRestriction(core, bob.builderId, "suspended")).toBeUndefined();
  expect(getPost(core, may, post.id).hiddenAt).not.toBeNull();
  expect(listDecisions(core, may, { state: "in_force", act: "hide" }, { limit: 5 }).nodes[0]?.id).toBe(
    good.id,
  );
});

test("one act on many subjects reports each refusal, and changes the others", () => {
  const { world, core, mo, bob, post } = community();
  using _world = world;
  const { done, refused } = decideMany(core, mo, {
    subjectIds: [post.id, "post_unknown", bob.builderId],
    ...draftOf("hide"),
  });
  expect(done.map(({ subject }) => subject.id)).toEqual([post.id]);
  expect(refused.map(({ error }) => error.code)).toEqual(["subject_unknown", "act_unfit"]);
  // A refusal has stored nothing. A username in a filter may have an @.
  for (const filter of [{}, { moderator: "@Mo" }])
    expect(listDecisions(core, mo, filter, { limit: 10 }).nodes).toEqual(done);
  expect(versionOf(core, "post_unknown")).toBe(0);
});

test("tokens of one moderator make at most 300 acts an hour, by whatever operation", async () => {
  const { world, core, clock, mo, olga, bob, cy, post } = community();
  using _world = world;
  const { caller } = createMemberToken(core, "ada", ["moderation", "admin"]);
  const since = clock.now();
  const lock = decide(core, mo, post.id, draftOf("lock"));
  const [warned, limited] = [draftOf("warn"), draftOf("limit")].map((draft) =>
    decide(core, mo, bob.builderId, draft),
  );
  const { id: reportId } = report(core, cy, { kind: "post", id: post.id }, { reason: "Rude" });
  for (const { id = "" } of [warned, limited] as { id?: string }[]) appeal(core, bob, id, { text: "Please" });
  // One act of each kind, and decisions until one act is left.
  undoDecision(core, caller, lock.id);
  decideAppeal(core, caller, warned?.id ?? "", { outcome: "denied", answer: "No." });
  decideAppeal(core, caller, limited?.id ?? "", { outcome: "granted", answer: "Yes." });
  dismissReport(core, caller, reportId);
  reopenReport(core, caller, reportId);
  for (let n = 6; n < TOKEN_ACTS_AN_HOUR; n++) decide(core, caller, cy.builderId, draftOf("warn"));
  const one = decide(core, mo, bob.builderId, draftOf("warn"));
  const { done, refused } = decideMany(core, caller, {
    subjectIds: [bob.builderId, cy.builderId],
    ...draftOf("warn"),
  });
  expect([done.length, refused.map(({ error }) => error.code)]).toEqual([1, ["acts_too_many"]]);
  appeal(core, bob, one.id, { text: "Please" });
  const outcome = { outcome: "denied", answer: "No." } as const;
  for (const act of [
    () => decide(core, caller, bob.builderId, draftOf("warn")),
    () => undoDecision(core, caller, one.id),
    () => undoDecisionsOf(core, caller, { moderator: "mo", since }),
    () => decideAppeal(core, caller, one.id, outcome),
    () => dismissReport(core, caller, reportId),
    () => removeSpammers(core, caller, { usernames: ["bob"], hosts: [], reason: REASON }),
  ])
    expect([String(act), await codeOf(act)]).toEqual([String(act), "acts_too_many"]);
  expect(undoDecisionsOf(core, olga, { moderator: "mo", since }).undone.map(({ id }) => id)).toEqual([
    one.id,
    warned?.id ?? "",
  ]);
  clock.pass(HOUR + 1);
  expect(decideAppeal(core, caller, one.id, outcome).appeal?.decided?.outcome).toBe("denied");
});

test("held content is approved or hidden, and each decision can be undone", async () => {
  const { world, core, mo, bob, post } = community();
  using _world = world;
  hidePost(core, post.id);
  const content = { subjectId: post.id, builderId: bob.builderId, kind: "post", isNew: false } as const;
  hold(core, { brake: "held_word", detail: "followers" }, content);
  const isHidden = () => getPost(core, mo, post.id).hiddenAt !== null;
  const approved = decide(core, mo, post.id, { act: "approve" });
  expect(isHidden()).toBe(false);
  expect(await codeOf(() => decide(core, mo, post.id, { act: "approve" }))).toBe("act_done");
  undoDecision(core, mo, approved.id);
  expect(isHidden()).toBe(true);
  const hidden = decide(core, mo, post.id, draftOf("hide"));
  undoDecision(core, mo, hidden.id);
  expect(isHidden()).toBe(true);
  decide(core, mo, post.id, { act: "restore" });
  expect(isHidden()).toBe(false);
});

test("a dismissal rejects held content, and shows content again that reports hid", async () => {
  const { world, core, mo, may, bob, post } = community();
  using _world = world;
  const holdBy = (brake: "held_word" | "reports") => {
    hidePost(core, post.id);
    const content = { subjectId: post.id, builderId: bob.builderId, kind: "post", isNew: false } as const;
    hold(core, { brake, detail: "" }, content);
  };
  const stateOf = () => {
    const { state, held, subject } = getCase(core, mo, post.id);
    return [state, held?.brake ?? null, subject.hidden];
  };
  holdBy("held_word");
  expect(await codeOf(() => decide(core, mo, post.id, { act: "dismiss" }))).toBe("reason_missing");
  const rejected = decide(core, mo, post.id, { act: "dismiss", reason: REASON });
  expect(rejected).toMatchObject({ act: "hide", builder: "bob", reason: REASON });
  expect(stateOf()).toEqual(["closed", null, true]);
  expect(listNotifications(core, bob, {}, { limit: 1 }).nodes[0]).toMatchObject({ about: REASON });
  undoDecision(core, mo, rejected.id);
  expect(stateOf()).toEqual(["open", "held_word", true]);

  report(core, may, { kind: "post", id: post.id }, { reason: "Rude" });
  decide(core, mo, post.id, { act: "dismiss" });
  expect(stateOf()).toEqual(["open", "held_word", true]);
  const rejectedAgain = decide(core, mo, post.id, draftOf("hide"));
  const restored = decide(core, mo, post.id, { act: "restore" });
  undoDecision(core, mo, restored.id);
  expect(stateOf()).toEqual(["closed", null, true]);
  expect(getDecision(core, mo, rejectedAgain.id).undone).toBeNull();

  decide(core, mo, post.id, { act: "restore" });
  holdBy("reports");
  expect(decide(core, mo, post.id, { act: "dismiss" }).act).toBe("approve");
  expect(stateOf()).toEqual(["closed", null, false]);
});

test("a case that only a note or a stranger opened can be dismissed, and an undo opens it again", async () => {
  const { world, core, mo, post } = community();
  using _world = world;
  addCaseNote(core, mo, post.id, { text: "Watch this." });
  reportAsStranger(core, "198.51.100.1", { subjectId: post.id, reason: "My photo", language: "en" });
  const { id } = decide(core, mo, post.id, { act: "dismiss" });
  expect(getCase(core, mo, post.id)).toMatchObject({
    state: "closed",
    strangerReports: [{ outcome: "dismissed" }],
  });
  expect(await codeOf(() => decide(core, mo, post.id, { act: "dismiss" }))).toBe("act_done");
  undoDecision(core, mo, id);
  expect(getCase(core, mo, post.id)).toMatchObject({ state: "open", strangerReports: [{ outcome: null }] });
});
