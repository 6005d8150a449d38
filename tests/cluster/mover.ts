// Runs as its own process: moves a leader's database into a follower's at an interval, as Litestream does.
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { openSqlite } from "../../src/core/base/db/sqlite.ts";
import { pagesOf } from "./pages.ts";

const PAGE = 4096;
const [from = "", to = "", everyMs = "50"] = process.argv.slice(2);

if (!existsSync(to)) {
  writeFileSync(`${to}.new`, pagesOf(from), { mode: 0o600 });
  renameSync(`${to}.new`, to);
}
// Both handles stay open. Closing a file drops every lock that this process holds on the file.
const file = openSync(to, "r+");
const lock = openSqlite(to, { timeout: 5000 });
let before: Uint8Array = Buffer.alloc(0);

for (;;) {
  const pages = pagesOf(from);
  lock.exec("BEGIN EXCLUSIVE");
  for (let at = 0; at < pages.length; at += PAGE) {
    const page = pages.subarray(at, at + PAGE);
    if (Buffer.compare(page, before.subarray(at, at + PAGE)) !== 0) writeSync(file, page, 0, page.length, at);
  }
  ftruncateSync(file, pages.length);
  lock.exec("ROLLBACK");
  before = pages;
  await Bun.sleep(Number(everyMs));
  if (process.ppid === 1) break;
}
lock.close();
closeSync(file);
