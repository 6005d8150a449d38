import type { Fault } from "./fault.ts";

/** Faults in the checks that the doctor reports or fixes. */
export const DOCTOR: readonly Fault[] = [
  {
    file: "operate/doctor/rights.ts",
    text: "!stats.isSymbolicLink() && (stats.mode & OTHERS) !== 0",
    fault: "!stats.isSymbolicLink() && (stats.mode & OTHERS) === OTHERS",
    tests: ["operate/doctor/rights"],
    why: "a key that every user can read is called well",
  },
  {
    file: "operate/doctor/rights.ts",
    text: "chownSync(path, uid, gid)",
    fault: "chownSync(path, 0, 0)",
    tests: ["operate/doctor/rights"],
    why: "what root made stays root's",
  },
  {
    file: "operate/doctor/leftovers.ts",
    text: "?.mtimeMs ?? Infinity) > DAY",
    fault: "?.mtimeMs ?? Infinity) > 0",
    tests: ["operate/doctor/leftovers"],
    why: "a backup that is just being made is deleted",
  },
  {
    file: "operate/doctor/leftovers.ts",
    text: "if (isServed || address === undefined) return undefined;",
    fault: "if (address === undefined) return undefined;",
    tests: ["operate/doctor/leftovers"],
    why: "the address of a server that runs is deleted",
  },
  {
    file: "operate/doctor/data-folder.ts",
    text: "const isReadOnly = !isFixing &&",
    fault: "const isReadOnly = false && !isFixing &&",
    tests: ["operate/doctor/doctor"],
    why: "a look takes over the log that a killed server left",
  },
  {
    file: "operate/doctor/data-folder.ts",
    text: "if (!isServed && !isLogOwn(config, found)) return at;",
    fault: "",
    tests: ["operate/doctor/doctor"],
    why: "a log of another community is opened with the database",
  },
  {
    file: "operate/doctor/clock.ts",
    text: "answer.date - late",
    fault: "late - answer.date",
    tests: ["operate/doctor/clock"],
    why: "a clock that is behind is called right",
  },
  {
    file: "operate/doctor/backups.ts",
    text: "age > 2 * config.backupEveryMs",
    fault: "age > 200 * config.backupEveryMs",
    tests: ["operate/doctor/backups"],
    why: "a backup of the day before yesterday is called new",
  },
  {
    file: "operate/doctor/schedule.ts",
    text: "return database === fileNumber(config) ?",
    fault: "return database > 0 ?",
    tests: ["operate/doctor/schedule"],
    why: "a database that was restored is called damaged",
  },
];
