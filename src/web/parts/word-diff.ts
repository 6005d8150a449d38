import { diffArrays } from "diff";

/** A part of a text that is in both versions or in one. */
export interface DiffPart {
  is: "kept" | "removed" | "added";
  text: string;
}

/**
 * So many lines, and in the lines that changed so many words, may be gone or new: of more, people read both
 * texts. The time grows with their square.
 */
const LINES_MAX = 150;
const WORDS_MAX = 200;

/** Words by the rules of Unicode, so that those of scripts without blanks are told apart, too. */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/**
 * What became of a text, line by line, and in lines that changed word by word: joined without what was added
 * it is the one, without what was removed the other. Where too much is other than it was, all of the one and
 * then all of the other. Takes some ms at most, whatever the texts are
 * (docs/adr/0050-editing-and-threads.md).
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

/** Undefined where more than `max` parts are gone or new. */
function stretchesOf(before: string[], after: string[], max: number): DiffPart[] | undefined {
  if (max <= 0) return undefined;
  return diffArrays(before, after, { maxEditLength: max })?.flatMap(({ value, removed, added }) =>
    removed || added
      ? value.map((text): DiffPart => ({ is: removed ? "removed" : "added", text }))
      : [{ is: "kept", text: value.join("") }],
  );
}

/**
 * All that changed between two stretches that were kept as one: first what is gone, then what is new, or what
 * `closer` makes of both. A blank between two changes belongs to them: word, blank, word could not be read.
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
