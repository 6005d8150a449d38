import type { FixableFinding } from "./checkup.ts";
import { quickCheck } from "./integrity-store.ts";
import {
  clearIndex,
  indexAnew,
  type Indexed,
  selectDiffering,
  selectStrays,
  TEXT_INDEXES,
  type ToExpression,
  type TextIndex,
} from "./full-text-store.ts";
import { counted } from "../../base/count-with-noun.ts";
import { inSlices, isTonight, type DataContext } from "./context.ts";

/** Texts are longer than other rows. */
const ROWS = 200;
const STRAYS_MAX = 10_000;
/** So many words of a column are looked for: where these are found beside each other, the others are too. */
const WORDS = 2;
const MEND = "guildhall doctor --fix, beside the running server or without it";

/** The indexes of full text against what they are made of; where it is sampled, words of a part of the rows. */
export function checkFullText(context: DataContext, isSampled: boolean): FixableFinding[] {
  const expression = ({ seq, columns }: Indexed): string | undefined =>
    isSampled && !isTonight(context.clock, seq) ? undefined : expressionOf(columns);
  const found = TEXT_INDEXES.flatMap((index) => look(context, index, expression));
  if (found.length > 0) return found;
  return [{ check: "full_text", severity: "ok", says: "the searches find what there is" }];
}

function look(context: DataContext, index: TextIndex, expression: ToExpression): FixableFinding[] {
  const { db } = context;
  try {
    const [damage] = quickCheck(db, index.name, 1);
    if (damage !== undefined) return [broken(context, index)];
    const wrong = differing(context, index, expression);
    // What comes or goes between two statements is wrong for a moment.
    const still = confirmed(context, index, wrong, expression);
    return still.length > 0 ? [stale(context, index, still)] : [];
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [broken(context, index)];
  }
}

function differing({ db, progress }: DataContext, index: TextIndex, expression: ToExpression): number[] {
  const wrong = selectStrays(db, index, STRAYS_MAX);
  for (let after = 0; ;) {
    const rows = index.next(db, after, ROWS);
    const last = rows.at(-1);
    if (last === undefined) return wrong;
    wrong.push(...selectDiffering(db, index, rows, expression));
    after = last.seq;
    progress(after, after + ROWS);
  }
}

function confirmed(
  { db }: DataContext,
  index: TextIndex,
  wrong: readonly number[],
  expression: ToExpression,
): number[] {
  if (wrong.length === 0) return [];
  const strays = new Set(selectStrays(db, index, STRAYS_MAX));
  const still: number[] = [];
  for (let at = 0; at < wrong.length; at += ROWS) {
    const some = wrong.slice(at, at + ROWS);
    const unlike = new Set(selectDiffering(db, index, index.some(db, some), expression));
    still.push(...some.filter((seq) => strays.has(seq) || unlike.has(seq)));
  }
  return still;
}

/**
 * The first words of each column, all of them; whole, as a beginning is sought through all that begins so. Undefined
 * where there are none.
 */
function expressionOf(columns: readonly string[]): string | undefined {
  const words = columns.flatMap((text) => (text.match(/[\p{L}\p{N}\p{M}\p{Co}+#]+/gu) ?? []).slice(0, WORDS));
  return words.length === 0 ? undefined : words.map((word) => `"${word}"`).join(" AND ");
}

function stale(context: DataContext, index: TextIndex, wrong: readonly number[]): FixableFinding {
  const says = `${index.says} has ${counted(wrong.length, "row")} too many, too few or other than it should`;
  return {
    check: "full_text",
    severity: "warning",
    says,
    mend: MEND,
    async fix() {
      await inSlices(context, wrong, (some) => indexAnew(context.db, index, some));
      return `was made anew: ${counted(wrong.length, "row")} of ${index.name}`;
    },
  };
}

function broken(context: DataContext, index: TextIndex): FixableFinding {
  return {
    check: "full_text",
    severity: "severe",
    says: `${index.says} is damaged (${index.name})`,
    mend: `${MEND}: it is made anew of what is there, and finds little until that is done`,
    async fix() {
      const { db } = context;
      db.transact(() => clearIndex(db, index));
      let rows = 0;
      for (let after = 0; ;) {
        const some = index.next(db, after, ROWS).map(({ seq }) => seq);
        const last = some.at(-1);
        if (last === undefined) break;
        await inSlices(context, some, (few) => indexAnew(db, index, few));
        rows += some.length;
        after = last;
      }
      return `was made anew: ${index.name}, ${counted(rows, "row")}`;
    },
  };
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT");
}
