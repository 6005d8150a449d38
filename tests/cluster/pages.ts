import { openSqlite } from "../../src/core/base/db/sqlite.ts";

/** Where a database says that it is read as a plain file, and by which count that it was changed. */
const FORMAT_AT = 18;
const COUNT_AT = 24;

/** The pages of a database as of now, with what its log holds, as an engine moves them. */
export function pagesOf(file: string): Buffer {
  const sqlite = openSqlite(file, { readonly: true });
  try {
    const pages = sqlite.serialize();
    pages.fill(1, FORMAT_AT, FORMAT_AT + 2);
    // Whoever writes to a log leaves it as it is: it is given by what moves the pages.
    crypto.getRandomValues(pages.subarray(COUNT_AT, COUNT_AT + 4));
    return pages;
  } finally {
    sqlite.close();
  }
}
