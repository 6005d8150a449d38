/** Changes to CHANGELOG.md at a release (https://keepachangelog.com/en/1.1.0/). */

const UNRELEASED = "## [Unreleased]\n";

export interface Released {
  /**
   * The whole new CHANGELOG.md. The changes that were unreleased now have a version and a date, and the
   * section “Unreleased” is empty.
   */
  changelog: string;
  notes: string;
}

/** Throws if nothing is unreleased, or if the file already has the version. */
export function released(changelog: string, version: string, date: string): Released {
  const from = changelog.indexOf(UNRELEASED);
  if (from < 0) throw new Error("CHANGELOG.md has no section «Unreleased»");
  if (changelog.includes(`\n## [${version}]`)) throw new Error(`CHANGELOG.md tells of ${version} already`);
  const begin = from + UNRELEASED.length;
  const next = changelog.indexOf("\n## [", begin);
  const notes = changelog.slice(begin, next < 0 ? undefined : next).trim();
  if (notes === "") throw new Error("CHANGELOG.md tells nothing under «Unreleased»: what do people get?");
  const rest = next < 0 ? "" : changelog.slice(next);
  return {
    changelog: `${changelog.slice(0, begin)}\n## [${version}] - ${date}\n\n${notes}\n${rest}`,
    notes: `${notes}\n`,
  };
}

/** Whether `version` is higher than `other`. Both must have the form `1.2.3`. */
export function isNewerVersion(version: string, other: string): boolean {
  const [a, b] = [version, other].map((text) => text.split(".").map(Number));
  const at = a?.findIndex((part, i) => part !== b?.[i]) ?? -1;
  return at >= 0 && (a?.[at] ?? 0) > (b?.[at] ?? 0);
}
