import { expect, test } from "bun:test";
import type { Core } from "../../src/core/base/core.ts";
import { settings } from "../../src/core/base/db/schema-access.ts";
import { projects } from "../../src/core/base/db/schema.ts";
import { companies, jobFilters } from "../../src/core/base/db/schema-jobs.ts";
import { createTestWorld, createMember } from "../support.ts";

const only = (core: Core, sql: string): unknown => core.db.prepare(sql).get();

function filterOf(core: Core, id: string, remote: boolean | null) {
  const builderId = createMember(core, id.slice(4)).caller.builderId ?? "";
  return { id, builderId, name: "n", q: "", terms: [], stack: ["go"], remote, seniority: [], createdAt: 1 };
}

test("converts values by column: booleans to 0 and 1, lists to JSON, undefined to NULL", () => {
  using world = createTestWorld();
  const { core } = world;
  core.db.insert(jobFilters, filterOf(core, "flt_one", true));
  core.db.insert(jobFilters, filterOf(core, "flt_two", false));
  core.db.insert(jobFilters, filterOf(core, "flt_three", null));
  core.db.insert(jobFilters, { ...filterOf(core, "flt_four", null), remote: undefined, city: "Oslo" });
  expect(
    core.db.prepare("SELECT id, remote, stack, city, currency FROM job_filters ORDER BY rowid").all(),
  ).toEqual([
    { id: "flt_one", remote: 1, stack: '["go"]', city: null, currency: null },
    { id: "flt_two", remote: 0, stack: '["go"]', city: null, currency: null },
    { id: "flt_three", remote: null, stack: '["go"]', city: null, currency: null },
    { id: "flt_four", remote: null, stack: '["go"]', city: "Oslo", currency: null },
  ]);
});

test("ignores properties without a column, and uses the default for missing ones", () => {
  using world = createTestWorld();
  const { core } = world;
  const builderId = createMember(core, "ada").caller.builderId ?? "";
  const row = { id: "prj_one", builderId, title: "A", createdAt: 1, unknown: "x" };
  core.db.insert(projects, row);
  expect(only(core, "SELECT title, url FROM projects")).toEqual({ title: "A", url: null });
});

test("insertNew keeps an existing row; upsert changes only the given columns", () => {
  using world = createTestWorld();
  const { core } = world;
  const company = { id: "company_a", slug: "a", name: "A", createdAt: 1 };
  expect(core.db.insertNew(companies, company)).toBe(true);
  expect(core.db.insertNew(companies, { ...company, name: "B" })).toBe(false);
  expect(only(core, "SELECT name FROM companies")).toEqual({ name: "A" });
  core.db.patch(companies, { id: "company_a" }, { workspaceId: null, name: "Kept" });
  core.db.upsert(companies, { ...company, name: "C", createdAt: 2 });
  expect(only(core, "SELECT name, slug, created_at AS at FROM companies")).toEqual({
    name: "C",
    slug: "a",
    at: 2,
  });
  core.db.upsert(settings, { name: "origin", value: "one" });
  core.db.upsert(settings, { name: "origin", value: "two" });
  expect(core.db.prepare("SELECT name, value FROM settings WHERE name = 'origin'").all()).toEqual([
    { name: "origin", value: "two" },
  ]);
});

test("patch changes the given columns of the rows with its key, and returns whether any existed", () => {
  using world = createTestWorld();
  const { core } = world;
  for (const id of ["a", "b"])
    core.db.insert(companies, { id: `company_${id}`, slug: id, name: id, createdAt: 1 });
  expect(core.db.patch(companies, { id: "company_a", slug: "a" }, { slug: "c", name: "C" })).toBe(true);
  expect(core.db.patch(companies, { id: "company_a", slug: "a" }, { name: "nobody" })).toBe(false);
  expect(core.db.patch(companies, { id: "company_b" }, {})).toBe(false);
  expect(core.db.patch(companies, { id: "company_b" }, { workspaceId: undefined })).toBe(false);
  expect(core.db.prepare("SELECT slug, name FROM companies ORDER BY id").all()).toEqual([
    { slug: "c", name: "C" },
    { slug: "b", name: "b" },
  ]);
});
