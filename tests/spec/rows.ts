import { seededBytes } from "../../src/demo/seeded-bytes.ts";
import pino from "pino";
import { readConfig } from "../../src/config/config.ts";
import { type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { MINUTE } from "../../src/core/base/clock.ts";
import { type Core, createCore } from "../../src/core/base/core.ts";
import { openDatabase } from "../../src/core/base/db/open.ts";
import { createPost, type PostDraft } from "../../src/core/community/feed/feed.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { type JobDraft } from "../../src/core/community/jobs/job.ts";
import { insertPrompt } from "../../src/core/community/prompts/prompts-store.ts";
import { rankOf, scoreOf } from "../../src/core/community/prompts/score.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { createHandler } from "../../src/http/preflight.ts";
import { restTransport } from "../../src/rest/app.ts";
import { type RequestOptions, type TestServer, createMember, type TestWorld } from "../support.ts";
import { call } from "./client.ts";
import { join } from "node:path";

/** Publishes posts a minute apart and returns their ids, oldest first. */
export function publishPosts(world: TestWorld, author: Caller, ...drafts: (string | PostDraft)[]): string[] {
  return drafts.map((draft) => {
    world.clock.pass(MINUTE);
    return createPost(world.core, author, typeof draft === "string" ? { text: draft } : draft).id;
  });
}

/** Returns a valid job draft with the given changes. */
export function jobDraft(change: Partial<JobDraft> = {}): JobDraft {
  return {
    title: "Engineer",
    company: { name: "Tidewater Systems", slug: "tidewater-systems" },
    location: "Berlin, Germany",
    city: "berlin",
    remote: false,
    seniority: "senior",
    stack: ["rust", "postgres"],
    salary: { min: 85_000, max: 110_000, currency: "EUR" },
    description: "You will own the storage engine.",
    apply_url: "https://tidewater.example.com/careers/engineer",
    ...change,
  };
}

/** Publishes jobs a minute apart and returns their ids, oldest first. */
export function publishJobs(world: TestWorld, ...changes: Partial<JobDraft>[]): string[] {
  return changes.map((change) => {
    world.clock.pass(MINUTE);
    return publishJob(world.core, OPERATOR, jobDraft(change)).id;
  });
}

/** Creates these jobs, oldest first. Returns a board whose searches return job titles in result order. */
export function openJobBoard(server: TestServer, ...jobs: Partial<JobDraft>[]) {
  const { token } = createMember(server.core, "ada", ["jobs:read"]);
  const ids = publishJobs(server, ...jobs);
  const search = async (query: string): Promise<string[]> =>
    (await call(server, token, `GET /jobs?${query}`)).body.data.map(({ title }: { title: string }) => title);
  const find = (q: string): Promise<string[]> => search(`q=${encodeURIComponent(q)}`);
  return { token, ids, search, find };
}

export interface PromptFixture {
  title?: string;
  model?: string;
  category?: string;
  /** The ratings, 1 to 5 each. */
  ratings?: readonly number[];
}

/** Submits prompts and returns their ids, oldest first. */
export function addPrompts(world: TestWorld, author: Caller, ...sketches: PromptFixture[]): string[] {
  return sketches.map(({ title = "Review a diff", model = "sonnet", category = "review", ratings = [] }) => {
    world.clock.pass(MINUTE);
    const createdAt = world.clock.now();
    const id = world.core.makeId("prompt", createdAt);
    const sum = ratings.reduce((total, rating) => total + rating, 0);
    world.core.db.transact(() =>
      insertPrompt(world.core, {
        id,
        authorId: author.builderId ?? "",
        title,
        body: `${title}, line by line.`,
        model,
        category,
        ratingCount: ratings.length,
        ratingSum: sum,
        score: scoreOf(sum, ratings.length),
        rank: rankOf(sum, ratings.length),
        createdAt,
      }),
    );
    return id;
  });
}

export function rows(core: Core, sql: string, ...bound: unknown[]): any[] {
  return core.db.prepare<any>(sql).all(...bound);
}

const dumps = new WeakMap<Core, { at: string; rows: readonly string[] }>();

/** Returns a value that changes whenever this or another connection writes to the database. */
function changesOf(core: Core): string {
  const [{ own } = { own: 0 }] = rows(core, "SELECT total_changes() AS own");
  return `${own} ${core.db.version()}`;
}

/** Returns every stored row as text with its table. Two communities with equal results are identical. */
export function dumpRows(core: Core): readonly string[] {
  const at = changesOf(core);
  const cached = dumps.get(core);
  if (cached?.at === at) return cached.rows;
  const dump = readRows(core);
  dumps.set(core, { at, rows: dump });
  return dump;
}

function readRows(core: Core): string[] {
  const tables = rows(core, "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'");
  return tables
    .filter(({ name }) => !name.startsWith("sqlite_"))
    .flatMap(({ name }) => rows(core, `SELECT * FROM ${name}`).map((row) => `${name} ${JSON.stringify(row)}`))
    .sort();
}

/** Records the text of every statement from now on. */
export function spyOnDatabase(core: Core): string[] {
  const statements: string[] = [];
  const { prepare } = core.db;
  core.db.prepare = (sql: string) => {
    statements.push(sql);
    return prepare(sql) as never;
  };
  return statements;
}

/** Opens the same database file again, like a restart or a second process. */
export function reopen(world: TestWorld) {
  const core = createCore({
    policy: world.core.policy,
    db: openDatabase(join(world.folder, "guildhall.db"), { busyMs: 100 }),
    clock: world.clock,
    random: seededBytes(2),
    secrets: world.core.secrets,
    origin: world.core.origin,
    targets: world.core.targets,
    fireStaffEvent: world.core.fireStaffEvent,
  });
  const log = pino({ level: "silent" });
  const handler = createHandler(
    core,
    [restTransport(core, "0.0.0-test")],
    readConfig({}),
    log,
    createMetrics(),
  );
  return {
    core,
    async request(
      token: string | undefined,
      path: string,
      { method = "GET", body, headers }: RequestOptions = {},
    ) {
      const request = new Request(`http://guild.test/v1${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return handler(request, () => "127.0.0.1");
    },
    [Symbol.dispose]: () => core.db.close(),
  };
}
