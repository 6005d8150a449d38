import Database from "better-sqlite3";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { killDuring } from "./kills.ts";
import { emptyFolder, type Program, run } from "./programs.ts";

export function forem(articles: number, comments: number): object[] {
  const at = (minute: number) => new Date(Date.UTC(2023, 0, 1) + minute * 60_000).toISOString();
  const user = (n: number) => ({ username: `person_${n % 40}`, name: `Person ${n % 40}` });
  return Array.from({ length: articles }, (_, i) => ({
    id: i + 1,
    path: `/person_${i % 40}/text-${i}`,
    url: `https://forem.example/person_${i % 40}/text-${i}`,
    title: `Text ${i}`,
    body_markdown: `What text ${i} says.`,
    tags: ["rust", "web"],
    published_at: at(i * 100),
    comments_count: comments,
    user: user(i),
    comments: Array.from({ length: comments }, (_none, j) => ({
      id_code: `c${i}x${j}`,
      body_html: `<p>Comment ${j}</p>`,
      created_at: at(i * 100 + j + 1),
      user: user(i + j + 1),
      children: [],
    })),
  }));
}

/** Imported rows without ids, which differ in each run. */
function brought(db: Database.Database): unknown[] {
  return db
    .prepare(
      `SELECT b.username, p.text, p.tags, p.replies, p.created_at AS at, parent.text AS answers
       FROM posts p JOIN builders b ON b.id = p.author_id LEFT JOIN posts parent ON parent.id = p.parent_id
       ORDER BY p.created_at, b.username, p.text`,
    )
    .all();
}

/**
 * Traces of a partial import: wrong reply counts, arrivals without a row, rows without an arrival, and
 * missing search entries.
 */
function halves(db: Database.Database): unknown[] {
  return db
    .prepare(
      `SELECT 'replies' AS what, id FROM posts p
         WHERE parent_id IS NULL AND replies <> (SELECT count(*) FROM posts WHERE parent_id = p.id)
       UNION ALL SELECT 'arrival', our_id FROM arrivals
         WHERE our_id NOT IN (SELECT id FROM posts UNION SELECT id FROM builders)
       UNION ALL SELECT 'unmarked', id FROM posts WHERE id NOT IN (SELECT our_id FROM arrivals)
       UNION ALL SELECT 'found', builder_id FROM directory_words
         WHERE seq NOT IN (SELECT rowid FROM directory_search)`,
    )
    .all();
}

/**
 * Kills `guildhall import --forem` at `times` moments. Each time, every imported row is complete, and the
 * same command imports the rest (docs/threats.md#M10).
 */
export async function killImports(
  program: Program,
  times: number,
  articles: number,
  progress?: (kill: number) => void,
): Promise<{ killed: number; cut: number; wrongs: string[] }> {
  using folder = emptyFolder();
  const cwd = folder.path;
  writeFileSync(join(cwd, "forem.json"), JSON.stringify(forem(articles, 5)));
  const args = ["import", "--forem", "forem.json", "--data", "d"];
  const open = () => new Database(join(cwd, "d/guildhall.db"), { readonly: true });
  const wrongs: string[] = [];
  let clean: string | undefined;
  let cut = 0;
  const whole = await run(program, args, { cwd });
  if (whole.code !== 0) throw new Error(whole.stderr);
  const first = open();
  clean = JSON.stringify(brought(first));
  first.close();
  const killed = await killDuring({
    program,
    args,
    cwd,
    times,
    prepare: () => rmSync(join(cwd, "d"), { recursive: true, force: true }),
    begun: () => existsSync(join(cwd, "d/guildhall.db-wal")),
    async look(kill) {
      const wrong = (label: string) => void wrongs.push(`kill ${kill}: ${label}`);
      if (existsSync(join(cwd, "d/guildhall.db"))) {
        const db = open();
        const isCreated =
          db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'arrivals'").get() !== undefined;
        if (isCreated) {
          if (db.pragma("integrity_check", { simple: true }) !== "ok") wrong("a damaged database");
          for (const half of halves(db)) wrong(`half of something: ${JSON.stringify(half)}`);
          const count = brought(db).length;
          if (count > 0 && count < articles * 6) cut++;
        }
        db.close();
      }
      const next = await run(program, args, { cwd });
      if (next.code !== 0) return wrong(`the next run failed: ${next.stderr}`);
      const db = open();
      if (JSON.stringify(brought(db)) !== clean) wrong("the next run brought something else");
      for (const half of halves(db)) wrong(`half of something: ${JSON.stringify(half)}`);
      db.close();
    },
    ...(progress ? { progress } : {}),
  });
  return { killed, cut, wrongs };
}
