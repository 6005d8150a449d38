import { diffArrays } from "diff";

/** A part of a text that is in both versions or in one. */
export interface DiffPart {
  is: "kept" | "removed" | "added";
  text: string;
}

/**
 * Maximum number of changed lines, and of changed words in those lines. Beyond that, two whole texts are
 * easier to read. The time grows with the square of these limits.
 */
const LINES_MAX = 150;
const WORDS_MAX = 200;

/** Splits by Unicode word rules, so that scripts without spaces work, too. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * Compares two texts by line, and changed lines by word. The parts without `added` are the first text. The
 * parts without `removed` are the second text. With too many changes, the parts are the whole first text and
 * the whole second text. Takes some ms at most for any input (docs/adr/0050-editing-and-threads.md).
 */
export function diffWords(before: string, after: string): DiffPart[] {
  let left = WORDS_MAX;
  return joined(
    stretchesOf(linesOf(before), linesOf(after), LINES_MAX) ?? replaced(before, after),
    (was, is) => {
      const words = stretchesOf(wordsOf(was), wordsOf(is), left);
      left -= words?.filter((stretch) => stretch.is !== "kept").length ?? left;
      return words && joined(words, replaced);
    },
  );
}

/** Returns undefined if more than `max` parts differ. */
function stretchesOf(before: string[], after: string[], max: number): DiffPart[] | undefined {
  if (max <= 0) return undefined;
  return diffArrays(before, after, { maxEditLength: max })?.flatMap(({ value, removed, added }) =>
    removed || added
      ? value.map((text): DiffPart => ({ is: removed ? "removed" : "added", text }))
      : [{ is: "kept", text: value.join("") }],
  );
}

/**
 * Joins all changes between two kept parts: first the removed text, then the added text, or the result of
 * `closer` for both. Blanks between two changes become part of the change, because single changed words are
 * hard to read.
 */
function joined(
  stretches: readonly DiffPart[],
  closer: (removed: string, added: string) => DiffPart[] | undefined,
): DiffPart[] {
  const found: DiffPart[] = [];
  let [removed, added] = ["", ""];
  const end = (): void => {
    const isBoth = removed !== "" && added !== "";
    found.push(...((isBoth ? closer(removed, added) : undefined) ?? replaced(removed, added)));
    [removed, added] = ["", ""];
  };
  stretches.forEach(({ is, text }, i) => {
    const isBetween = text.trim() === "" && isChange(stretches[i - 1]) && isChange(stretches[i + 1]);
    const isKept = is === "kept" && !isBetween;
    if (is !== "added" && !isKept) removed += text;
    if (is !== "removed" && !isKept) added += text;
    if (!isKept) return;
    end();
    found.push({ is, text });
  });
  end();
  return found;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function isChange(stretch: DiffPart | undefined): boolean {
  return stretch !== undefined && stretch.is !== "kept";
}

function replaced(before: string, after: string): DiffPart[] {
  const both: DiffPart[] = [
    { is: "removed", text: before },
    { is: "added", text: after },
  ];
  return both.filter(({ text }) => text !== "");
}
