import { countWithNoun } from "../../base/count-with-noun.ts";
import { type FixableFinding, ok, severe } from "./checkup.ts";
import { type DataContext, isDueTonight } from "./context.ts";
import { compare, REBUILD, rebuild } from "./derived.ts";
import type { Derived } from "./derived-store.ts";
import {
  clearIndex,
  type IndexedRow,
  replaceIndexed,
  selectIndexDifferences,
  TEXT_INDEXES,
  type TextIndex,
} from "./full-text-store.ts";
import { quickCheck } from "./integrity-store.ts";

/** Rows per batch. Smaller than other batches, because texts are long. */
const BATCH = 200;
/**
 * Number of words per column that the check searches for. If the index finds these words in the row, the
 * check assumes that it finds the other words too.
 */
const WORDS_PER_COLUMN = 2;

/**
 * Compares the search indexes with their rows. If `isSampled`, searches for words only in the rows whose turn
 * is tonight.
 */
export function checkFullText(context: DataContext, isSampled: boolean): FixableFinding[] {
  const found = TEXT_INDEXES.flatMap((index, done) => {
    context.progress(done, TEXT_INDEXES.length);
    return checkIndex(context, index, isSampled) ?? [];
  });
  if (found.length > 0) return found;
  return [ok("full_text", "The search indexes match the data.")];
}

function checkIndex(context: DataContext, index: TextIndex, isSampled: boolean): FixableFinding | undefined {
  const derived: Derived = {
    check: "full_text",
    says: (count) => `${index.says} has ${countWithNoun(count, "row")} missing, extra, or wrong.`,
    rebuilt: (count) => `Rebuilt ${countWithNoun(count, "row")} of ${index.name}.`,
    keys: index.keys,
    first: Number.MIN_SAFE_INTEGER,
    batch: BATCH,
    differing: (db, seqs) =>
      selectIndexDifferences(db, index, seqs, ({ seq, texts }) =>
        isSampled && !isDueTonight(context.clock, seq) ? undefined : expressionOf(texts),
      ),
    rebuild: (db, seqs) => replaceIndexed(db, index, seqs),
  };
  try {
    if (quickCheck(context.db, index.name) === undefined) return compare(context, derived);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return damaged(context, index, derived);
}

/**
 * Returns a query for the first words of each column; undefined if there are no words. The query contains
 * whole words, because a prefix query reads all words with that prefix.
 */
function expressionOf(texts: IndexedRow["texts"]): string | undefined {
  const words = texts.flatMap((text) =>
    (text.match(/[\p{L}\p{N}\p{M}\p{Co}+#]+/gu) ?? []).slice(0, WORDS_PER_COLUMN),
  );
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(" AND ");
}

function damaged(context: DataContext, index: TextIndex, derived: Derived): FixableFinding {
  const mend = `${REBUILD}; it rebuilds the index, and searches find little until it is done`;
  return {
    ...severe("full_text", `${index.says} is damaged (${index.name}).`, mend),
    async fix() {
      context.db.transact(() => clearIndex(context.db, index));
      return `Rebuilt ${index.name}: ${countWithNoun(await rebuild(context, derived), "row")}.`;
    },
  };
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT");
}
