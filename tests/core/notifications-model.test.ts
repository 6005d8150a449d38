// docs/contract.md#4.15: compares the notifications with a short model.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { hide, restore } from "../moderate.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";
import {
  countForPages,
  countNotifications,
  listNotifications,
  markNotifications,
} from "../../src/core/services/notifications/notifications.ts";
import { changeNotificationSettings } from "../../src/core/services/notifications/settings.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost, unlikePost } from "../../src/core/community/feed/likes.ts";
import { deletePost } from "../../src/core/community/feed/removal.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { block, unblock } from "../../src/core/community/messages/blocks.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { createTestWorld, createMember, snapshot } from "../support.ts";

const NAMES = ["ada", "bo", "cy", "dee"] as const;
type Name = (typeof NAMES)[number];

interface NotificationGroup {
  to: Name;
  kind: string;
  subject: string;
  /** The actors; "" for none. */
  facts: string[];
  isRead: boolean;
}

interface ModelPost {
  author: Name;
  root: string | undefined;
  isHidden: boolean;
  likes: Set<Name>;
}

class Model {
  readonly posts = new Map<string, ModelPost>();
  readonly blocks = new Set<string>();
  readonly suspended = new Set<Name>();
  readonly off = new Set<string>();
  told: NotificationGroup[] = [];

  tell(to: Name, kind: string, subject: string, by: string): void {
    if (
      to === by ||
      this.suspended.has(to) ||
      this.blocks.has(`${to} ${by}`) ||
      this.off.has(`${to} ${kind}`)
    )
      return;
    const open =
      kind === "like"
        ? this.told.findLast(
            (toldGroup) =>
              toldGroup.to === to &&
              toldGroup.kind === kind &&
              toldGroup.subject === subject &&
              !toldGroup.isRead,
          )
        : undefined;
    this.told = this.told.filter((toldGroup) => toldGroup !== open);
    this.told.push({ to, kind, subject, facts: [...(open?.facts ?? []), by], isRead: false });
  }

  withdraw(fits: (toldGroup: NotificationGroup) => boolean, by?: Name): void {
    for (const toldGroup of this.told.filter(fits))
      toldGroup.facts = toldGroup.facts.filter((fact) => by !== undefined && fact !== by);
    this.told = this.told.filter(({ facts }) => facts.length > 0);
  }

  /** Notifications that the member sees, newest first. */
  shownTo(name: Name): { kind: string; subject: string; actors: string[]; read: boolean }[] {
    return this.told.toReversed().flatMap((toldGroup) => {
      if (toldGroup.to !== name || !(toldGroup.kind === "decision" || this.isSeen(toldGroup.subject, name)))
        return [];
      const facts = toldGroup.facts.filter(
        (by) => by === "" || !(this.suspended.has(by as Name) || this.blocks.has(`${name} ${by}`)),
      );
      if (facts.length === 0) return [];
      const actors = facts.filter((by) => by !== "").toReversed();
      return [{ kind: toldGroup.kind, subject: toldGroup.subject, actors, read: toldGroup.isRead }];
    });
  }

  isPublic(id: string): boolean {
    const post = this.posts.get(id);
    if (!post || post.isHidden) return false;
    return post.root === undefined || this.posts.get(post.root)?.isHidden === false;
  }

  private isSeen(id: string, by: Name): boolean {
    const post = this.posts.get(id);
    if (!post || (post.isHidden && post.author !== by)) return false;
    const root = post.root === undefined ? undefined : this.posts.get(post.root);
    return !root?.isHidden || root.author === by;
  }
}

type Operation = readonly [verb: (typeof VERBS)[number], who: number, which: number, whom: number];
const VERBS = [
  ...Array<"like">(8).fill("like"),
  ...Array<"unlike">(3).fill("unlike"),
  ...Array<"read">(2).fill("read"),
  "post",
  "reply",
  "delete",
  "block",
  "unblock",
  "suspend",
  "restore",
  "hide",
  "unhide",
  "readOne",
  "off",
  "on",
] as const;

/** Two posts, so that the first operations have a target. */
const BEGIN: readonly Operation[] = [
  ["post", 0, 0, 0],
  ["post", 1, 0, 0],
];

const town = (() => {
  using world = createTestWorld();
  for (const name of NAMES) {
    const { caller } = createMember(world.core, name);
    changeNotificationSettings(world.core, caller, { badge: "off", level_up: "off" });
  }
  return snapshot(world);
})();

function callersOf(core: Core): Record<Name, Caller> {
  const rows = core.db.prepare<{ id: string; username: Name; ws: string }>(
    "SELECT b.id, b.username, w.id AS ws FROM builders b JOIN workspaces w ON w.owner_id = b.id",
  );
  return Object.fromEntries(
    rows
      .all()
      .map(({ id, username, ws }) => [
        username,
        { ...OPERATOR, means: "token", builderId: id, workspaceId: ws, username },
      ]),
  ) as Record<Name, Caller>;
}

/** Applies one operation to the core and to the model. Skips impossible operations. */
function perform(core: Core, callers: Record<Name, Caller>, model: Model, [verb, a, b, c]: Operation): void {
  const viewer = NAMES[a % 4] as Name;
  const whom = NAMES[c % 4] as Name;
  const caller = callers[viewer];
  const [id, post] = [...model.posts][b % Math.max(model.posts.size, 1)] ?? ["", undefined];
  const isIn = !model.suspended.has(viewer);
  if (verb === "suspend" || verb === "restore") {
    setSuspended(core, OPERATOR, viewer, verb === "suspend");
    model.suspended[verb === "suspend" ? "add" : "delete"](viewer);
  } else if (verb === "hide" || verb === "unhide") {
    if (!post || post.isHidden === (verb === "hide")) return;
    (verb === "hide" ? hide : restore)(core, OPERATOR, id);
    post.isHidden = verb === "hide";
    const decision = decisionAbout(core, id);
    if (post.isHidden) model.tell(post.author, "decision", decision, "");
    else model.withdraw((toldGroup) => toldGroup.kind === "decision" && toldGroup.subject === decision);
  } else if (!isIn) {
    return;
  } else if (verb === "block" || verb === "unblock") {
    if (viewer === whom) return;
    (verb === "block" ? block : unblock)(core, caller, whom);
    model.blocks[verb === "block" ? "add" : "delete"](`${viewer} ${whom}`);
  } else if (verb === "off" || verb === "on") {
    changeNotificationSettings(core, caller, { like: verb === "off" ? "off" : "here" });
    model.off[verb === "off" ? "add" : "delete"](`${viewer} like`);
  } else if (verb === "read" || verb === "readOne") {
    const { nodes } = listNotifications(core, caller, {}, { limit: 100 });
    const item = nodes[b % Math.max(nodes.length, 1)];
    if (!item) return;
    markNotifications(core, caller, verb === "read" ? { up_to: item.id } : { ids: [item.id] });
    const all = model.told.filter(({ to }) => to === viewer);
    const shown = model.shownTo(viewer)[nodes.indexOf(item)];
    const at = all.findLastIndex(
      (received) =>
        received.kind === shown?.kind &&
        received.subject === shown.subject &&
        received.isRead === shown.read &&
        sameFacts(received, shown.actors),
    );
    for (const received of verb === "read" ? all.slice(0, at + 1) : all.slice(at, at + 1))
      received.isRead = true;
  } else if (verb === "post") {
    const created = createPost(core, caller, { text: "Shipped" });
    model.posts.set(created.id, { author: viewer, root: undefined, isHidden: false, likes: new Set() });
  } else if (verb === "delete") {
    if (post?.author !== viewer) return;
    deletePost(core, caller, id);
    const gone = [id, ...[...model.posts].flatMap(([each, { root }]) => (root === id ? [each] : []))];
    for (const each of gone) model.posts.delete(each);
    model.withdraw(({ subject }) => gone.includes(subject));
  } else if (!post || !model.isPublic(id)) {
    return;
  } else if (verb === "like") {
    likePost(core, caller, id);
    if (!post.likes.has(viewer)) model.tell(post.author, "like", id, viewer);
    post.likes.add(viewer);
  } else if (verb === "unlike") {
    unlikePost(core, caller, id);
    if (post.likes.delete(viewer))
      model.withdraw(
        (toldGroup) =>
          toldGroup.kind === "like" && toldGroup.subject === id && toldGroup.facts.includes(viewer),
        viewer,
      );
  } else {
    const root = post.root ?? id;
    const created = replyTo(core, caller, id, { text: "Well done" });
    model.posts.set(created.id, { author: viewer, root, isHidden: false, likes: new Set() });
    for (const to of new Set([post.author, model.posts.get(root)?.author ?? post.author]))
      model.tell(to, "reply", created.id, viewer);
  }
}

const sameFacts = ({ facts }: NotificationGroup, actors: readonly string[]): boolean =>
  actors.every((actor) => facts.includes(actor));

test("notifications match a simple model under any operations: groups, order, read state, blocks, hiding, deletion and settings", () => {
  const actions = fc.array(
    fc.tuple(fc.constantFrom(...VERBS), fc.nat(3), fc.nat(3), fc.nat(3)) as fc.Arbitrary<Operation>,
    { minLength: 30, maxLength: 60 },
  );
  fc.assert(
    fc.property(actions, (all) => {
      using world = createTestWorld({ from: town });
      const { core } = world;
      const callers = callersOf(core);
      const model = new Model();
      for (const act of [...BEGIN, ...all]) {
        perform(core, callers, model, act);
        for (const name of NAMES) {
          const shown = listNotifications(core, callers[name], {}, { limit: 100 }).nodes.map(
            ({ kind, subject, actors, read, count }) => {
              expect(count).toBe(Math.max(actors.length, 1));
              return { kind, subject: subject.id, actors: actors.map(({ username }) => username), read };
            },
          );
          const meant = model.shownTo(name);
          expect(shown as unknown[]).toEqual(meant);
          const unread = meant.filter(({ read }) => !read).length;
          expect(countNotifications(core, callers[name])).toBe(unread);
          expect(countForPages(core, callers[name])).toEqual({ unread, matches: 0 });
        }
      }
      const loose = core.db
        .prepare(
          "SELECT 1 FROM notification_facts WHERE group_id NOT IN (SELECT group_id FROM notifications)",
        )
        .all();
      expect(loose).toEqual([]);
      const gone = core.db
        .prepare(
          "SELECT 1 FROM notifications WHERE subject_type = 'post' AND subject_id NOT IN (SELECT id FROM posts)",
        )
        .all();
      expect(gone).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

/** Returns the ID of the newest decision to hide a post. */
function decisionAbout(core: Core, subjectId: string): string {
  const sql = "SELECT id FROM decisions WHERE subject_id = ? AND act = 'hide' ORDER BY id DESC LIMIT 1";
  return core.db.prepare<{ id: string }>(sql).get(subjectId)?.id ?? "";
}
