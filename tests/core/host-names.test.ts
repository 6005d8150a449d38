import { expect, test } from "bun:test";
import Database from "better-sqlite3";
import { MIGRATIONS } from "../../src/core/base/db/migrations.ts";

test("the migration removes the final dot of endpoint host names, unless another endpoint has that URL", () => {
  const at = MIGRATIONS.findIndex(({ name }) => name.endsWith("_one_spelling"));
  const db = new Database(":memory:");
  db.exec("CREATE TABLE webhook_endpoints (workspace_id TEXT, url TEXT, UNIQUE (workspace_id, url))");
  const before = [
    ["a", "https://hooks.example.com./in?x=1.:2"],
    ["a", "https://hooks.example.com.:8443/in./"],
    ["a", "https://hooks.example.com/"],
    ["a", "https://hooks.example.com./"],
    ["b", "https://hooks.example.com./"],
    ["b", "https://plain.example.com/path./x"],
    ["b", "https://[2606:4700::1111]:8443/"],
    ["b", "removed:whe_1"],
  ];
  for (const row of before) db.prepare("INSERT INTO webhook_endpoints VALUES (?, ?)").run(row);
  db.exec(MIGRATIONS[at]?.sql ?? "");
  expect(db.prepare("SELECT url FROM webhook_endpoints ORDER BY rowid").pluck().all()).toEqual([
    "https://hooks.example.com/in?x=1.:2",
    "https://hooks.example.com:8443/in./",
    "https://hooks.example.com/",
    "https://hooks.example.com./",
    "https://hooks.example.com/",
    "https://plain.example.com/path./x",
    "https://[2606:4700::1111]:8443/",
    "removed:whe_1",
  ]);
});
