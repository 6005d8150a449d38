// Tests docs/contract.md#V5.4 and docs/contract.md#7.5.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { isStaffScope, SCOPE_NAMES, type Scope } from "../../src/core/identity/access/scopes.ts";
import { isId, type IdKind } from "../../src/core/base/ids.ts";
import { hide, restore } from "../moderate.ts";
import { type Route, ROUTES as ALL } from "../routes.ts";
import { BUILDER_SCOPES } from "../support.ts";
import { call, type ApiResponse } from "./client.ts";
import { dumpRows } from "./rows.ts";
import {
  openIsolationFixture,
  tokenFor,
  type IsolationFixture,
  type FixtureUser,
} from "./isolation-fixture.ts";

/** Uploads use a form. tests/spec/media.slow.test.ts tests who can see uploads and avatars. */
const ROUTES = ALL.filter(({ kind, id }) => kind !== "upload" && id !== "setAvatar");

/**
 * The owner of the objects that each operation reads or changes. The tests run every operation with every
 * kind of caller. A new operation fails until it is in this table and the fixture contains an object for it.
 */
const TOUCHES = {
  searchEverything: "everybody's",
  listFeed: "everybody's",
  createPost: "everybody's",
  getPost: "everybody's",
  editPost: "the author's",
  listRevisions: "everybody's",
  deletePost: "the author's",
  listReplies: "everybody's",
  replyToPost: "everybody's",
  likePost: "own statement",
  unlikePost: "own statement",
  followBuilder: "own statement",
  unfollowBuilder: "own statement",
  listFollowing: "the builder's",
  followTag: "own statement",
  unfollowTag: "own statement",
  listFollowedTags: "the builder's",
  bookmarkPost: "own statement",
  unbookmarkPost: "own statement",
  listBookmarks: "the builder's",
  searchJobs: "everybody's",
  publishJob: "everybody's",
  listOwnJobs: "the builder's",
  getJob: "everybody's",
  changeJob: "the author's",
  listJobFilters: "the builder's",
  createJobFilter: "the builder's",
  getJobFilter: "the builder's",
  changeJobFilter: "the builder's",
  deleteJobFilter: "the builder's",
  listJobMatches: "the builder's",
  listPrompts: "everybody's",
  submitPrompt: "everybody's",
  getPrompt: "everybody's",
  deletePrompt: "the author's",
  listPromptVersions: "everybody's",
  revisePrompt: "the author's",
  ratePrompt: "own statement",
  getOwnProfile: "the builder's",
  changeProfile: "the builder's",
  removeAvatar: "the builder's",
  getStreak: "the builder's",
  listXp: "the builder's",
  listProfiles: "everybody's",
  getProfile: "everybody's",
  listProjects: "the builder's",
  addProject: "the builder's",
  getProject: "the builder's",
  changeProject: "the builder's",
  deleteProject: "the builder's",
  listThreads: "the builder's",
  sendMessage: "the builder's",
  listMessages: "the builder's",
  markThreadRead: "the builder's",
  acceptThread: "the builder's",
  getMessageSettings: "the builder's",
  setMessageSettings: "the builder's",
  listBlocks: "the builder's",
  listNotifications: "the builder's",
  markNotificationsRead: "the builder's",
  getNotificationSettings: "the builder's",
  changeNotificationSettings: "the builder's",
  blockBuilder: "own statement",
  unblockBuilder: "own statement",
  reportPost: "own statement",
  reportJob: "own statement",
  reportPrompt: "own statement",
  reportBuilder: "own statement",
  reportMessage: "the builder's",
  listReports: "the admins'",
  dismissReport: "the admins'",
  reopenReport: "the admins'",
  hideThing: "the admins'",
  restoreThing: "the admins'",
  suspendBuilder: "the admins'",
  restoreBuilder: "the admins'",
  listCases: "the admins'",
  getCase: "the admins'",
  takeCase: "the admins'",
  releaseCase: "the admins'",
  addCaseNote: "the admins'",
  listModerationLog: "the admins'",
  listMembers: "the admins'",
  decide: "the admins'",
  decideMany: "the admins'",
  listDecisions: "the admins'",
  getDecision: "the admins'",
  undoDecision: "the admins'",
  undoDecisionsOf: "the admins'",
  listOwnDecisions: "the builder's",
  appealDecision: "the builder's",
  listAppeals: "the admins'",
  decideAppeal: "the admins'",
  previewRemoval: "the admins'",
  removeSpammers: "the admins'",
  getCommunitySettings: "the admins'",
  changeCommunitySettings: "the admins'",
  listInvitations: "the admins'",
  getInvitation: "the admins'",
  createInvitation: "the admins'",
  withdrawInvitation: "the admins'",
  listApplications: "the admins'",
  approveApplication: "the admins'",
  declineApplication: "the admins'",
  changeRole: "the admins'",
  listWebhooks: "the workspace's",
  registerWebhook: "the workspace's",
  getWebhook: "the workspace's",
  changeWebhook: "the workspace's",
  deleteWebhook: "the workspace's",
  rotateWebhookSecret: "the workspace's",
  testWebhook: "the workspace's",
  listDeliveries: "the workspace's",
  getDelivery: "the workspace's",
  retryDelivery: "the workspace's",
  recoverWebhook: "the workspace's",
  listEvents: "the workspace's",
} as const satisfies Readonly<Record<string, Touches>>;

type Touches =
  /** Readable by every member with the scope. Members can add their own objects. */
  | "everybody's"
  /** Public, but only the author can change it: 403 for others. */
  | "the author's"
  /** A builder's own statement about a public object: like, rating, report or block. */
  | "own statement"
  /** Visible only to the builder, in any workspace. */
  | "the builder's"
  | "the workspace's"
  | "the admins'";

const touches = (op: Route): Touches => TOUCHES[op.id as keyof typeof TOUCHES];

/**
 * Request bodies that differ from the document's examples, because they name objects that must or must not
 * exist.
 */
const BODIES: Readonly<Record<string, () => object>> = {
  publishJob: () => ({ company: { name: "Lamps", slug: `lamps-${addresses++}` } }),
  ratePrompt: () => ({ version: 1 }),
  sendMessage: () => ({ to: "dee" }),
  markThreadRead: () => ({ up_to: undefined }),
  reportMessage: () => ({ message: undefined }),
  // The example's revision does not exist.
  editPost: () => ({ revision: undefined }),
  setMessageSettings: () => ({ from: "everybody" }),
  markNotificationsRead: () => ({ ids: [] }),
  changeNotificationSettings: () => ({ like: "off" }),
  changeProfile: () => ({ time_zone: undefined, pinned_project: null }),
  decide: () => ({ act: "warn", rule: undefined, until: undefined, expected_version: undefined }),
  decideMany: () => ({ act: "warn", rule: undefined, until: undefined }),
  undoDecisionsOf: () => ({ moderator: "dee" }),
  previewRemoval: () => ({ usernames: ["dee"] }),
  removeSpammers: () => ({ usernames: ["dee"] }),
};

/** Operations whose repetition is refused, because nothing would change. */
const ONCE: ReadonlySet<string> = new Set([
  "undoDecision",
  "appealDecision",
  "decideAppeal",
  "withdrawInvitation",
  "approveApplication",
  "declineApplication",
  "changeRole",
]);

/** Returns the request of an operation for an object, with the body from the document's example. */
function requestOf(op: Route, item: string): [request: string, init: { body?: unknown }] {
  const fields = Object.entries(op.body?.properties ?? {}).map(([name, schema]) => [
    name,
    fresh(schema["examples"]?.[0]),
  ]);
  return [
    `${op.method} ${op.path.replace(/\{\w+\}/, item)}`,
    op.body ? { body: { ...Object.fromEntries(fields), ...BODIES[op.id]?.() } } : {},
  ];
}

let addresses = 0;

/** Makes each URL unique, because registering a URL twice is a 409. */
function fresh(value: unknown): unknown {
  return typeof value === "string" && value.startsWith("https://") ? `${value}?${addresses++}` : value;
}

function kindOf(op: Route): string {
  const example = op.param?.example ?? "";
  const kind = example.slice(0, example.lastIndexOf("_"));
  return isId(kind as IdKind, example) ? kind : (op.param?.name ?? "");
}

/** Returns the id for the operation's path: an object of a builder or workspace, or a public object. */
function itemOf(
  op: Route,
  fixture: IsolationFixture,
  username: FixtureUser,
  at: keyof IsolationFixture["workspaces"] = "ada",
): string {
  if (!op.param) return "";
  const whose = touches(op);
  const items =
    whose === "the workspace's"
      ? fixture.workspaces[at].ids
      : whose === "the admins'"
        ? fixture.adminOnly
        : whose === "the builder's" || whose === "the author's"
          ? fixture.people[username === "root" ? "ada" : username].ids
          : fixture.public;
  // All callers have blocked the default member, so following needs another member.
  const item = items[/followBuilder$/i.test(op.id) ? "followed" : kindOf(op)];
  if (item === undefined) throw new Error(`${op.id}: the fixture has no ${kindOf(op)}`);
  return item;
}

const ask = (
  fixture: IsolationFixture,
  op: Route,
  token: string | undefined,
  item: string,
): Promise<ApiResponse> => call(fixture.server, token, ...requestOf(op, item));

const rowsOf = (fixture: IsolationFixture): readonly string[] => dumpRows(fixture.server.core);

const naming = (rows: readonly string[], marks: readonly string[]): string[] =>
  rows.filter((row) => marks.some((mark) => row.includes(mark)));

test("every operation declares whose data it touches", () => {
  expect(Object.keys(TOUCHES).sort()).toEqual(ROUTES.map(({ id }) => id).sort());
});

/** A caller with all scopes available to that role. */
interface Asker {
  name: string;
  who: FixtureUser;
  /** The workspace of the token. Undefined for an admin. */
  at: keyof IsolationFixture["workspaces"] | undefined;
  token: string;
}

for (const op of ROUTES) {
  describe(`${op.method} ${op.path}`, () => {
    let fixture: IsolationFixture;
    beforeAll(async () => void (fixture = await openIsolationFixture()));
    afterAll(() => fixture.server[Symbol.asyncDispose]());
    const whose = touches(op);
    /** Whether each builder or workspace has its own object, which other members cannot see. */
    const isPrivate = whose === "the builder's" || whose === "the workspace's";
    const someScopes = (...scopes: readonly Scope[]): string => tokenFor(fixture.server, "root", scopes);
    const asker = (name: string, username: FixtureUser, at?: Asker["at"]): Asker => {
      const scopes = username === "root" ? SCOPE_NAMES : BUILDER_SCOPES;
      const workspaceId = at && fixture.workspaces[at].workspaceId;
      return { name, who: username, at, token: tokenFor(fixture.server, username, scopes, workspaceId) };
    };

    /**
     * All callers except ada in her own workspace. In another workspace, ada can still reach her personal
     * objects.
     */
    const strangers = (): Asker[] => [
      asker("the other builder", "bo", "bo"),
      asker("the other builder, in the shared workspace", "bo", "shared"),
      ...(whose === "the workspace's" ? [asker("ada, in the shared workspace", "ada", "shared")] : []),
      ...(whose === "the admins'" ? [asker("ada", "ada", "ada")] : [asker("an admin", "root")]),
    ];

    /** Marks of ada's objects that the caller must not see. */
    const hers = (asked: Asker): string[] => {
      const marks = marksHiddenFrom(asked);
      // Staff read every decision, so events for the staff name decisions about ada.
      return op.id === "listEvents" && asked.who === "root"
        ? marks.filter((mark) => !isId("dec", mark))
        : marks;
    };

    const marksHiddenFrom = ({ who }: Asker): string[] => [
      ...fixture.workspaces.ada.marks,
      ...(who === "ada" ? [] : secretsOf(fixture.people.ada.marks)),
      ...(who === "root" ? [...fixture.workspaces.bo.marks, ...secretsOf(fixture.people.bo.marks)] : []),
      // Only ada likes and bookmarks the post, so other callers never see these flags set.
      ...(who !== "ada" && whose === "everybody's" ? ['"liked":true', '"bookmarked":true'] : []),
    ];

    /** The directory shows all names and the titles of projects, so marks in these are not secret there. */
    const secretsOf = (marks: readonly string[]): string[] =>
      op.id === "listProfiles" ? marks.filter((mark) => !/^(?:mark-|prj_)/.test(mark)) : [...marks];

    /**
     * Checks that no row of ada's was removed or changed. Other callers may add rows to her data: for
     * example, a published job adds a match of her filter.
     */
    const expectUnchanged = (requested: Asker, before: readonly string[]): void => {
      const after = new Set(rowsOf(fixture));
      const rows =
        requested.who === "ada" ? hers(requested) : [...hers(requested), fixture.people.ada.builderId];
      expect([requested.name, naming(before, rows).filter((row) => !after.has(row))]).toEqual([
        requested.name,
        [],
      ]);
    };

    test("a request without credentials is 401 and changes nothing", async () => {
      const item = itemOf(op, fixture, "ada");
      const before = rowsOf(fixture);
      const response = await ask(fixture, op, undefined, item);
      expect(response.status).toBe(401);
      expect(response.text).toBe((await ask(fixture, op, "guild_pat_x", "x")).text);
      expect(rowsOf(fixture)).toEqual(before);
    });

    test("a token without the scope, even an admin's, is 403 for existing and unknown ids", async () => {
      const item = itemOf(op, fixture, "ada");
      const others = SCOPE_NAMES.filter((scope) => scope !== op.scope && !op.orScopes?.includes(scope));
      const tokens = [
        tokenFor(
          fixture.server,
          "ada",
          others.filter((scope) => !isStaffScope(scope)),
        ),
        someScopes(...others),
        someScopes(isStaffScope(op.scope) ? "feed:read" : "admin"),
      ];
      const before = rowsOf(fixture);
      const texts = new Set<string>();
      for (const token of tokens) {
        for (const named of [item, "unknown"]) {
          const response = await ask(fixture, op, token, named);
          expect(response.status).toBe(403);
          texts.add(response.text);
        }
      }
      expect([...texts]).toEqual([expect.stringContaining(`\`${op.scope}\``)]);
      expect(rowsOf(fixture)).toEqual(before);
    });

    test("other members can neither see nor change ada's data; private data answers like an unknown id", async () => {
      const item = itemOf(op, fixture, "ada");
      const refused = {
        "the author's": 403,
        "the admins'": 403,
        "everybody's": undefined,
        "own statement": undefined,
      };
      const status = isPrivate ? (op.param ? 404 : undefined) : refused[whose];
      for (const stranger of strangers()) {
        const { name, token } = stranger;
        const before = rowsOf(fixture);
        const response = await ask(fixture, op, token, item);
        expect([name, response.status]).toEqual([name, status ?? op.answer.status]);
        for (const text of [response.text, JSON.stringify([...response.headers])])
          expect([name, naming([text], hers(stranger))]).toEqual([name, []]);
        if (status === undefined) {
          expectUnchanged(stranger, before);
          continue;
        }
        if (whose !== "the author's") {
          const unknown = op.param?.name === "username" ? "nobody" : unknownId(op);
          expect([name, response.text]).toEqual([name, (await ask(fixture, op, token, unknown)).text]);
        }
        expect([name, rowsOf(fixture)]).toEqual([name, before]);
      }
    });

    const unknownId = (of: Route): string =>
      of.param ? fixture.server.core.makeId(kindOf(of) as IdKind, 0) : "";

    if (isPrivate && op.query?.properties["cursor"]) {
      test("a cursor of ada's list is refused to every other member", async () => {
        const ada = tokenFor(fixture.server, "ada", BUILDER_SCOPES);
        const [request] = requestOf(op, itemOf(op, fixture, "ada"));
        const { next } = (await call(fixture.server, ada, `${request}?limit=1`)).body;
        expect((await call(fixture.server, ada, `${request}?limit=1&cursor=${next}`)).status).toBe(200);
        for (const stranger of strangers()) {
          const { name, who, at, token } = stranger;
          const [theirs] = requestOf(op, at ? itemOf(op, fixture, who, at) : "unknown");
          const response = await call(fixture.server, token, `${theirs}?limit=1&cursor=${next}`);
          expect([name, response.status]).toEqual([name, at || !op.param ? 400 : 404]);
          expect([name, naming([response.text], hers(stranger))]).toEqual([name, []]);
        }
      });
    }

    if (["post", "job", "prompt"].includes(kindOf(op)) && whose !== "the admins'") {
      test("hidden content answers like an unknown id, except to its author and to moderators", async () => {
        const { ids: items } = fixture.people.ada;
        const item = items[kindOf(op)] ?? "";
        hide(fixture.server.core, OPERATOR, item);
        for (const { name, who, token } of strangers().filter(({ who }) => who !== "root")) {
          const before = rowsOf(fixture);
          const response = await ask(fixture, op, token, item);
          expect([name, response.status]).toEqual([name, 404]);
          expect([name, response.text]).toEqual([name, (await ask(fixture, op, token, unknownId(op))).text]);
          expect([name, who, rowsOf(fixture)]).toEqual([name, who, before]);
        }
        restore(fixture.server.core, OPERATOR, item);
      });
    }

    test("the same request succeeds for the owner, and for each member of the shared workspace", async () => {
      // A DELETE cannot be repeated, because the object no longer exists.
      const again = op.method !== "DELETE" && !ONCE.has(op.id);
      const insiders: Asker[] =
        whose === "the admins'"
          ? [asker("an admin", "root"), ...(ONCE.has(op.id) ? [] : [asker("the same once more", "root")])]
          : [
              asker("ada", "ada", "ada"),
              asker("bo", "bo", "bo"),
              ...(again || whose === "the workspace's" ? [asker("ada, elsewhere", "ada", "shared")] : []),
              ...(again ? [asker("bo, elsewhere", "bo", "shared")] : []),
            ];
      for (const { name, who, at, token } of insiders) {
        const response = await ask(fixture, op, token, itemOf(op, fixture, who, at));
        expect([name, response.status]).toEqual([name, op.answer.status]);
        if (!isPrivate || op.method !== "GET") continue;
        const { marks } =
          whose === "the workspace's" ? fixture.workspaces[at ?? "ada"] : fixture.people[who as "ada"];
        // Bookmarked posts are public. The bookmark itself is private.
        expect([name, naming([response.text], [...marks, '"bookmarked":true'])]).toEqual([
          name,
          [response.text],
        ]);
      }
    });
  });
}
