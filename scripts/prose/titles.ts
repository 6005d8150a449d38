/** The title of a test or of a group of tests, and its line. */
export interface Title {
  line: number;
  title: string;
}

const CALL = /\b(?:test|describe)(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs;

/** Returns the titles of the tests in a source. Expressions in a template are returned as written. */
export function titlesOf(source: string): Title[] {
  return [...source.matchAll(CALL)].map(({ 2: title = "", index }) => ({
    line: source.slice(0, index).split("\n").length,
    title: title.replace(/\\(["'`])/g, "$1"),
  }));
}
