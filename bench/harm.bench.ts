import { subscriptions, type Watch } from "./harm/subscriptions.ts";
import {
  cpuMs,
  createBenchCommunity,
  guildhall,
  median,
  residentMiB,
  row,
  serve,
  type BenchCommunity,
} from "./server.ts";
import { SMALL } from "./harm/small-requests.ts";

/** Longest time that an attack may run before it is aborted. */
const LIMIT_MS = 120_000;

const repeat = (times: number, part: (i: number) => string): string =>
  Array.from({ length: times }, (_, i) => part(i)).join(" ");
const aliases = (times: number, field: string): string => repeat(times, (i) => `a${i}: ${field}`);
const jobs = (first: number, inner: string): string =>
  `jobs(first: ${first}) { edges { node { ${inner} } } }`;
const LONG = "k".repeat(100_000);

interface Attack {
  document: string;
  variables?: object;
  /** Number of requests sent at the same time. */
  times?: number;
  /** The client closes the socket after this time. */
  leaveAfterMs?: number;
}

/** Attacks in which a small request causes as much work for the server as possible. */
const ATTACKS: Readonly<Record<string, Attack>> = {
  "30 aliases of 20 kB under two lists": {
    document: `{ ${jobs(90, `company { ${jobs(90, aliases(30, "description"))} }`)} }`,
  },
  "the same, 20 at once, sockets closed after 150 ms": {
    document: `{ ${jobs(90, `company { ${jobs(90, aliases(30, "description"))} }`)} }`,
    times: 20,
    leaveAfterMs: 150,
  },
  "the same, at the highest allowed cost": {
    document: `{ ${jobs(9, `company { ${jobs(9, aliases(28, "description"))} }`)} }`,
  },
  "the same, 20 at once, sockets closed after 150 ms ": {
    document: `{ ${jobs(9, `company { ${jobs(9, aliases(28, "description"))} }`)} }`,
    times: 20,
    leaveAfterMs: 150,
  },
  "1,400 long texts": {
    document: `{ ${jobs(48, aliases(30, "description"))} }`,
  },
  "texts made from Markdown": { document: `{ ${jobs(100, "descriptionHtml")} }` },
  "wide searches": {
    document: `{ ${repeat(20, (i) => `a${i}: jobs(first: 20, q: "s* e* a* i*") { edges { node { id } } }`)} }`,
  },
  "30 aliases of 2 kB under two lists": {
    document: `{ feed(first: 90) { edges { node { author { posts(first: 90) { edges { node { ${aliases(30, "text")} } } } } } } } }`,
  },
  "one long text under two lists": {
    document: `{ ${jobs(90, `company { ${jobs(90, "description")} }`)} }`,
  },
  "long rows, of which one short field is selected": {
    document: `{ ${jobs(85, `company { ${jobs(85, "id")} }`)} }`,
  },
  "the same, sockets closed after 150 ms": {
    document: `{ ${jobs(85, `company { ${jobs(85, "id")} }`)} }`,
    times: 20,
    leaveAfterMs: 150,
  },
  "900 short fields under one list": {
    document: `{ ${jobs(100, `company { ${repeat(28, (i) => `a${i}: id name slug`)} } ${repeat(400, () => "remote seniority")}`)} }`,
  },
  "objects in objects": {
    document: `{ feed(first: 100) { edges { node { ${repeat(9, (i) => `a${i}: author { username name id b${i}: posts(first: 1) { edges { cursor } } }`)} } } } }`,
  },
  "an alias of 100 kB under two lists": {
    document:
      `{ feed(first: 90) { edges { node { replies(first: 90) { edges { ${LONG}: cursor } } author { posts(first: 90) { edges { ${LONG}: cursor } } } } } } }`.replace(
        `replies(first: 90) { edges { ${LONG}: cursor } } `,
        "",
      ),
  },
  "errors of 10,000 fields": {
    document: `{ feed(first: 90) { edges { node { author { posts(first: 90) { edges { node { author { ${aliases(20, "bio")} } } } } } } } } }`,
  },
  "20 lists at the top": {
    document: `{ ${repeat(20, (i) => `a${i}: jobs(first: 48) { edges { node { description } } }`)} }`,
  },
  "nodes by a hundred ids, each with a list": {
    document:
      "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Company { jobs(first: 90) { edges { node { description } } } } } }",
  },
  "plain lists": {
    document: `{ feed(first: 100) { edges { node { ${aliases(29, "tags")} author { projects { description } } } } } }`,
  },
  "introspection, ten times": {
    document: `{ ${repeat(10, (i) => `a${i}: __schema { types { name description fields { name description args { name description type { name kind } } type { name kind ofType { name kind ofType { name } } } } inputFields { name description } enumValues { name description } } }`)} }`,
  },
  "a fragment spread 300 times": {
    document: `{ feed(first: 100) { edges { node { ${repeat(300, () => "...f")} } } } } fragment f on Post { id text createdAt }`,
  },
  "fields that overlap": { document: `{ feed { edges { node { ${repeat(950, () => "id")} } } } }` },
  "conditions by variables": {
    document: `query($a: Boolean!) { ${jobs(90, `company { ${jobs(90, `${repeat(28, (i) => `a${i}: description @include(if: $a)`)}`)} }`)} }`,
    variables: { a: true },
  },
  "50 pages of a hundred at once": {
    document: "{ feed(first: 100) { edges { node { text author { username } } } } }",
    times: 50,
  },
};

export async function harm(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 50, posts: 2_000, jobs: 300, prompts: 200 });
  addLongTexts(stage);
  const companies = stage.core.db.prepare<{ id: string }>("SELECT id FROM companies").all();
  const ids = Array.from({ length: 100 }, () => companies[0]?.id);
  row(
    "attack",
    "bytes of it",
    "status",
    "answer MB",
    "seconds",
    "CPU s",
    "memory MiB",
    "longest wait of another member ms",
  );
  row("---", "---", "---", "---", "---", "---", "---", "---");
  const filter = process.env["HARM"];
  for (const [name, attack] of Object.entries(ATTACKS)) {
    if (filter && !name.includes(filter)) continue;
    await using server = await serve(guildhall(stage.folder));
    await run(name, attack, server, stage.token, ids);
  }
  if (!filter || "documents".includes(filter)) {
    await using server = await serve(guildhall(stage.folder));
    await manyDocuments(server, stage.token);
  }
  if (!filter || "subscriptions".includes(filter)) await subscriptions(stage, watch);
  await smallRequests(stage, filter);
}

const ROUNDS = 3;

/**
 * Sends ten copies of each small request at once from another process. Measures the longest wait of another
 * member's reads during that time.
 */
async function smallRequests(stage: BenchCommunity, requested: string | undefined): Promise<void> {
  await using server = await serve(guildhall(stage.folder));
  console.log("");
  row(
    "ten at once",
    "bytes of one",
    "status",
    "all ten: ms",
    "longest wait of another member ms: median",
    "while the server's thread ran ms: median",
  );
  row("---", "---", "---", "---", "---", "---");
  for (const name of Object.keys(SMALL)) {
    if (requested && !`small: ${name}`.includes(requested)) continue;
    const attacker = startProcess(["bench/harm/attacker.ts", server.url, stage.token, name]);
    await attacker.line();
    const waits: number[] = [];
    const runs: number[] = [];
    let last = { statuses: [] as number[], ms: 0, bytes: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const otherMember = await watch(server, stage.token);
      await attacker.say("go");
      last = JSON.parse(await attacker.line());
      const { longest, longestCpu } = await otherMember.end();
      waits.push(longest);
      runs.push(longestCpu);
    }
    await attacker.end();
    row(
      name,
      last.bytes,
      last.statuses.join(" "),
      last.ms.toFixed(0),
      median(waits).toFixed(0),
      median(runs).toFixed(0),
    );
  }
}

/** Starts a process that communicates through lines on stdin and stdout. */
function startProcess(command: string[]) {
  const child = Bun.spawn([process.execPath, ...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.getReader();
  return {
    async line(): Promise<string> {
      return Buffer.from((await lines.read()).value ?? []).toString();
    },
    async say(line: string): Promise<void> {
      await child.stdin.write(`${line}\n`);
      await child.stdin.flush();
    },
    async end(): Promise<void> {
      await child.stdin.end();
      await child.exited;
    },
  };
}

/**
 * Makes all texts as long as the rules allow. Gives all jobs one company and all posts one author, so that
 * every nested list is full.
 */
function addLongTexts({ core }: BenchCommunity): void {
  const long = "Ein längerer Satz über Arbeit. ".repeat(1000).slice(0, 20_000);
  core.db.transact(() => {
    core.db
      .prepare("UPDATE jobs SET description = ?, company_id = (SELECT min(id) FROM companies)")
      .run(long);
    core.db.prepare("UPDATE posts SET text = ?").run(long.slice(0, 2_000));
    core.db.prepare("UPDATE posts SET author_id = (SELECT min(id) FROM builders)").run();
  });
}

async function run(
  name: string,
  { document, variables = {}, times = 1, leaveAfterMs }: Attack,
  server: { url: string; pid: number },
  token: string,
  ids: unknown,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({
    query: document,
    variables: document.includes("$ids") ? { ids } : variables,
  });
  const ask = (text: string, signal?: AbortSignal) =>
    fetch(`${server.url}/graphql`, { method: "POST", headers, body: text, ...(signal ? { signal } : {}) });
  await (await ask('{"query":"{ rateLimit { cost } }"}')).text();
  const otherMember = await watch(server, token);
  const [from, cpu] = [performance.now(), cpuMs(server.pid)];
  const answers = await Promise.all(
    Array.from({ length: times }, async () => {
      try {
        const answer = await ask(body, AbortSignal.timeout(leaveAfterMs ?? LIMIT_MS));
        const bytes = (await answer.arrayBuffer()).byteLength;
        return { status: String(answer.status), bytes };
      } catch {
        return { status: "left", bytes: 0 };
      }
    }),
  );
  if (leaveAfterMs) await Bun.sleep(3_000);
  const seconds = (performance.now() - from) / 1000;
  const { longest, memory } = await otherMember.end();
  const statuses = [...new Set(answers.map(({ status }) => status))].join(" ");
  row(
    name,
    body.length,
    statuses,
    (Math.max(...answers.map(({ bytes }) => bytes)) / 1e6).toFixed(2),
    seconds.toFixed(2),
    ((cpuMs(server.pid) - cpu) / 1000).toFixed(2),
    memory,
    longest.toFixed(0),
  );
}

/**
 * Starts the reads of another member in a separate process, because this process is busy with the responses.
 */
async function watch(server: { url: string; pid: number }, token: string): Promise<Watch> {
  const otherMember = startProcess(["bench/harm/other-member.ts", server.url, token, String(server.pid)]);
  // Waits for the first line, which is “ready”.
  await otherMember.line();
  return {
    async end(): Promise<{ longest: number; longestCpu: number; memory: number }> {
      await otherMember.say("end");
      const report = JSON.parse(await otherMember.line());
      await otherMember.end();
      return report;
    },
  };
}

async function manyDocuments(server: { url: string; pid: number }, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const before = residentMiB(server.pid);
  for (let i = 0; i < 1_200; i++) {
    const query = `query q${i} { rateLimit { ${repeat(990, () => "cost")} } }`;
    await (
      await fetch(`${server.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) })
    ).text();
  }
  row("1,200 documents of 5 kB", "", "", "", "", "", `${before} → ${residentMiB(server.pid)}`, "");
}
