import { readdirSync, readFileSync } from "node:fs";
import { cpuMs } from "../server.ts";

/** CPU time so far and current memory of a server with all its child processes. */
export interface ProcessUsage {
  cpuMs: number;
  /** A page that several processes share counts once. */
  memoryMiB: number;
}

export function usageOf(pid: number): ProcessUsage {
  const pids = familyOf(pid);
  return {
    cpuMs: pids.reduce((sum, each) => sum + (undefinedIfEnded(() => cpuMs(each)) ?? 0), 0),
    memoryMiB: Math.round(
      pids.reduce((sum, each) => sum + (undefinedIfEnded(() => sharedKib(each)) ?? 0), 0) / 1024,
    ),
  };
}

/** Returns a process with all its descendants. */
function familyOf(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const stat = undefinedIfEnded(() => readFileSync(`/proc/${name}/stat`, "utf8"));
    const parent = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const family = [pid];
  for (const each of family) family.push(...(parents.get(each) ?? []));
  return family;
}

/** Returns the proportional set size in KiB: a page that three processes map counts a third for each. */
function sharedKib(pid: number): number {
  return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
}

/** Runs `read`. Returns undefined if the process has ended meanwhile. */
function undefinedIfEnded<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
