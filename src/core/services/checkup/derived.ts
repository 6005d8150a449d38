import { rankOf, scoreOf } from "../../community/prompts/score.ts";
import { getSetting } from "../../base/db/settings.ts";
import type { Finding } from "./checkup.ts";
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
import { counted } from "../../base/counted.ts";
import { inSlices, READ_ROWS, type Slices } from "./context.ts";

const MEND = "guildhall doctor --fix, beside the running server or without it";

/** Counts, scores and tags against the rows that they follow from (docs/contract.md#12.12). */
export function lookAtCounts(slices: Slices): Finding[] {
  const found: Finding[] = [];
  const isMadeUp = getSetting(slices, "demo-builder") !== undefined;
  const walks = DERIVED.filter((each) => !(isMadeUp && each.isMadeUp));
  const total = walks.reduce((sum, each) => sum + countToWalk(slices.db, each), 0);
  let done = 0;
  for (const derived of walks) {
    let count = 0;
    for (const keys of differing(slices, derived)) {
      count += keys.length;
      slices.progress((done += READ_ROWS), total);
    }
    if (count > 0) found.push(differs(slices, derived, count));
  }
  const scores = isMadeUp ? [] : [...wrongScores(slices)];
  if (scores.length > 0) found.push(scored(slices, scores));
  if (found.length > 0) return found;
  const but = isMadeUp ? ", but likes and ratings of a demo, which have none" : "";
  return [{ check: "counts", severity: "ok", says: `counts, scores and tags are what the rows say${but}` }];
}

/** Slice by slice: of a community in which all is wrong, not all is kept in memory. */
function* differing({ db }: Slices, derived: Derived): Generator<string[]> {
  for (let after = ""; ;) {
    const upTo = endOfSlice(db, derived, after, READ_ROWS);
    if (upTo === undefined) return;
    yield findDiffering(db, derived, after, upTo);
    after = upTo;
  }
}

function differs(slices: Slices, derived: Derived, count: number): Finding {
  const [before, noun, behind] = derived.says;
  return mendable(`${before} ${counted(count, noun)} ${behind}`.trim(), async () => {
    for (const keys of differing(slices, derived))
      await inSlices(slices, keys, (some) => mendDiffering(slices.db, derived, some));
  });
}

function* wrongScores({ db }: Slices): Generator<ScoredPrompt> {
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

function scored(slices: Slices, wrong: readonly ScoredPrompt[]): Finding {
  return mendable(`the scores of ${counted(wrong.length, "prompt")} are other than their ratings say`, () =>
    inSlices(slices, wrong, (some) => some.forEach(({ id }) => scoreAnew(slices, id))),
  );
}

/** Asked again: somebody may have rated it since. */
function scoreAnew({ db }: Slices, id: string): void {
  const found = findScored(db, id);
  if (found && isWrong(found)) writeScore(db, found);
}

function mendable(says: string, work: () => Promise<void>): Finding {
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
