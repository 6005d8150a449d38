import { expect, test } from "bun:test";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";
import { createJobFilter } from "../../src/core/community/jobs/job-filters.ts";
import { facetTokens } from "../../src/core/community/jobs/query.ts";
import { createTestWorld, createMember } from "../support.ts";
import { jobDraft, publishJobs, rows } from "../spec/rows.ts";
import Database from "better-sqlite3";
import { join } from "node:path";

const LETTERS = [
  ..."ßẞæÆœŒøØłŁđĐðÐþÞıﬀﬁﬂﬃﬄﬅﬆ",
  ...Array.from({ length: 0xff5e - 0xff01 + 1 }, (_, i) => String.fromCharCode(0xff01 + i)),
];

test("rows and filters stored before the upgrade match searches like new ones", () => {
  using world = createTestWorld();
  const { core } = world;
  const { caller } = createMember(core, "ada");
  const drafts = [
    jobDraft({
      title: `Weaver ${LETTERS.slice(0, 60).join(" ")}`,
      description: LETTERS.map((item) => `a${item}b`).join(" "),
    }),
    jobDraft({ title: "Ｃ＋＋ in der Straße", city: "lodz", remote: true, stack: [], description: "plain" }),
    jobDraft({ title: "Plain", description: "Zürich™ ½ x²" }),
  ];
  publishJobs(world, ...drafts);
  const saved = [
    { q: "Straße", terms: [{ words: ["straße"], isPrefix: false }] },
    { q: "æon*", terms: [{ words: ["æon"], isPrefix: true }] },
    { q: "weaver", terms: [{ words: ["weaver"], isPrefix: false }] },
  ];
  const filters = saved.map(({ q }) => createJobFilter(core, caller, { name: q, q }));
  const sqlite = new Database(join(world.folder, "guildhall.db"));
  sqlite.exec("CREATE VIRTUAL TABLE temp.job_search_words USING fts5vocab (main, job_search, instance)");
  // This migration changes two indexes and a column that later migrations drop.
  sqlite.exec("CREATE VIRTUAL TABLE job_titles USING fts5 (title, content = '', contentless_delete = 1)");
  sqlite.exec("CREATE TABLE job_filter_anchors (key TEXT, filter_id TEXT)");
  sqlite.exec("ALTER TABLE job_matchings ADD COLUMN after_key TEXT");
  const state = () =>
    ["job_search_words", "job_filters"].map((table) =>
      sqlite.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4`).all(),
    );
  const today = state();

  sqlite.exec("DELETE FROM job_search");
  rows(core, "SELECT seq FROM jobs ORDER BY seq").forEach(({ seq }, i) => {
    const draft = drafts[i] ?? jobDraft();
    const facets = facetTokens({ ...draft, city: draft.city ?? null });
    sqlite
      .prepare(
        "INSERT INTO job_search (rowid, title, description, facets) VALUES (CAST(? AS INTEGER), ?, ?, ?)",
      )
      .run(seq, draft.title, draft.description, facets);
  });
  saved.forEach(({ terms }, i) => {
    const id = filters[i]?.id;
    sqlite.prepare("UPDATE job_filters SET terms = ? WHERE id = ?").run(JSON.stringify(terms), id);
  });
  expect(state()).not.toEqual(today);

  sqlite.exec(MIGRATIONS.find(({ name }) => name === "0024_folded_search")?.sql ?? "");
  expect(state()).toEqual(today);
  sqlite.close();
});
