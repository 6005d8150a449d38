import { openSqlite } from "../../src/core/base/db/sqlite.ts";

/** Offsets in the SQLite header: file format versions, and the change counter. */
const FORMAT_AT = 18;
const COUNT_AT = 24;

/** The current pages of a database, including its WAL, as an engine moves them. */
export function pagesOf(file: string): Buffer {
  const sqlite = openSqlite(file, { readonly: true });
  try {
    const pages = sqlite.serialize();
    pages.fill(1, FORMAT_AT, FORMAT_AT + 2);
    // In WAL mode SQLite does not change this counter, so the engine that moves the pages must set it.
    crypto.getRandomValues(pages.subarray(COUNT_AT, COUNT_AT + 4));
    return pages;
  } finally {
    sqlite.close();
  }
}
