import { rankOf, scoreOf } from "../../community/prompts/score.ts";
import { getSetting } from "../../base/db/settings.ts";
import type { FixableFinding } from "./checkup.ts";
import {
  countToWalk,
  type Derived,
  DERIVED,
  endOfSlice,
  findDiffering,
  findScored,
  mendDiffering,
  type ScoredPrompt,
  selectScored,
  writeScore,
} from "./derived-store.ts";
import { counted } from "../../base/count-with-noun.ts";
import { inSlices, READ_ROWS, type DataContext } from "./context.ts";

const MEND = "guildhall doctor --fix, beside the running server or without it";

/** Counts, scores and tags against the rows that they follow from (docs/contract.md#12.12). */
export function checkCounts(context: DataContext): FixableFinding[] {
  const found: FixableFinding[] = [];
  const isMadeUp = getSetting(context, "demo-builder") !== undefined;
  const walks = DERIVED.filter((each) => !(isMadeUp && each.isMadeUp));
  const total = walks.reduce((sum, each) => sum + countToWalk(context.db, each), 0);
  let done = 0;
  for (const derived of walks) {
    let count = 0;
    for (const keys of differing(context, derived)) {
      count += keys.length;
      context.progress((done += READ_ROWS), total);
    }
    if (count > 0) found.push(differs(context, derived, count));
  }
  const scores = isMadeUp ? [] : [...wrongScores(context)];
  if (scores.length > 0) found.push(scored(context, scores));
  if (found.length > 0) return found;
  const but = isMadeUp ? ", but likes and ratings of a demo, which have none" : "";
  return [{ check: "counts", severity: "ok", says: `counts, scores and tags are what the rows say${but}` }];
}

/** Slice by slice: of a community in which all is wrong, not all is kept in memory. */
function* differing({ db }: DataContext, derived: Derived): Generator<string[]> {
  for (let after = ""; ;) {
    const upTo = endOfSlice(db, derived, after, READ_ROWS);
    if (upTo === undefined) return;
    yield findDiffering(db, derived, after, upTo);
    after = upTo;
  }
}

function differs(context: DataContext, derived: Derived, count: number): FixableFinding {
  const [before, noun, behind] = derived.says;
  return mendable(`${before} ${counted(count, noun)} ${behind}`.trim(), async () => {
    for (const keys of differing(context, derived))
      await inSlices(context, keys, (some) => mendDiffering(context.db, derived, some));
  });
}

function* wrongScores({ db }: DataContext): Generator<ScoredPrompt> {
  for (let after = ""; ;) {
    const some = selectScored(db, after, READ_ROWS);
    yield* some.filter(isWrong);
    const last = some.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** As `ratePrompt` makes them. */
function isWrong({ ratingCount, ratingSum, score, rank, ratings, stars }: ScoredPrompt): boolean {
  const isCounted = ratingCount === ratings && ratingSum === stars;
  return !isCounted || score !== scoreOf(stars, ratings) || rank !== rankOf(stars, ratings);
}

function scored(context: DataContext, wrong: readonly ScoredPrompt[]): FixableFinding {
  return mendable(`the scores of ${counted(wrong.length, "prompt")} are other than their ratings say`, () =>
    inSlices(context, wrong, (some) => some.forEach(({ id }) => scoreAnew(context, id))),
  );
}

/** Asked again: somebody may have rated it since. */
function scoreAnew({ db }: DataContext, id: string): void {
  const found = findScored(db, id);
  if (found && isWrong(found)) writeScore(db, found);
}

function mendable(says: string, work: () => Promise<void>): FixableFinding {
  return {
    check: "counts",
    severity: "warning",
    says,
    mend: MEND,
    async fix() {
      await work();
      return `was counted anew: ${says}`;
    },
  };
}
