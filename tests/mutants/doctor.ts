import type { Fault } from "./fault.ts";

/** Faults in the checks that the doctor reports or fixes. */
export const DOCTOR: readonly Fault[] = [
  {
    file: "operate/doctor/rights.ts",
    text: "!stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0",
    fault: "!stats.isSymbolicLink() && (stats.mode & OTHERS) === OTHERS",
    tests: ["operate/doctor/rights"],
    why: "doctor accepts a key that every user can read",
  },
  {
    file: "operate/doctor/rights.ts",
    text: "chownSync(path, uid, gid)",
    fault: "chownSync(path, 0, 0)",
    tests: ["operate/doctor/rights"],
    why: "doctor gives files of root to root instead of the owner",
  },
  {
    file: "operate/doctor/leftovers.ts",
    text: "?.mtimeMs ?? Infinity) > DAY",
    fault: "?.mtimeMs ?? Infinity) > 0",
    tests: ["operate/doctor/leftovers"],
    why: "doctor deletes a backup that is being written",
  },
  {
    file: "operate/doctor/leftovers.ts",
    text: "if (isServed || address === undefined) return undefined;",
    fault: "if (address === undefined) return undefined;",
    tests: ["operate/doctor/leftovers"],
    why: "doctor deletes the address file of a running server",
  },
  {
    file: "operate/doctor/data-folder.ts",
    text: "const isReadOnly = !isFixing &&",
    fault: "const isReadOnly = false && !isFixing &&",
    tests: ["operate/doctor/doctor"],
    why: "a check recovers the write-ahead log of a killed server",
  },
  {
    file: "operate/doctor/data-folder.ts",
    text: "if (!isServed && !isLogOwn(config, found)) return at;",
    fault: "",
    tests: ["operate/doctor/doctor"],
    why: "a database is opened with the write-ahead log of another community",
  },
  {
    file: "operate/doctor/clock.ts",
    text: "answer.date - late",
    fault: "late - answer.date",
    tests: ["operate/doctor/clock"],
    why: "doctor accepts a clock that is slow",
  },
  {
    file: "operate/doctor/backups.ts",
    text: "age > 2 * config.backupEveryMs",
    fault: "age > 200 * config.backupEveryMs",
    tests: ["operate/doctor/backups"],
    why: "doctor accepts a backup that is too old",
  },
  {
    file: "operate/doctor/schedule.ts",
    text: "return database === fileNumber(config) ?",
    fault: "return database > 0 ?",
    tests: ["operate/doctor/schedule"],
    why: "a restored database shows the findings of the database before",
  },
];
