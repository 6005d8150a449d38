import { cpus } from "node:os";

/**
 * `CORES=1`: the server has the first core alone, and whoever asks it or is told by it the others. Without it the
 * system places all of them, as where the program is used.
 */
export const isOnOneCore = process.env["CORES"] === "1";

const OF_SERVER = ["taskset", "-c", "0"];
const OTHERS = cpus().length > 1 ? `1-${cpus().length - 1}` : "0";

/** How a server is begun. What it begins itself stays with it. */
export function asServer(command: string[]): string[] {
  return isOnOneCore ? [...OF_SERVER, ...command] : command;
}

/** How what takes part on the load's side is begun. */
export function asLoad(command: string[]): string[] {
  return isOnOneCore ? ["taskset", "-c", OTHERS, ...command] : command;
}

/** This process asks: it leaves the first core to the server. */
export function leaveFirstCore(): void {
  if (isOnOneCore) Bun.spawnSync(["taskset", "-apc", OTHERS, String(process.pid)]);
}
