import { existsSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

/** Where the program is set up. */
export interface Machine {
  isRoot: boolean;
  /** A package has brought the unit. */
  hasUnit: boolean;
  /** Why no unit can be installed. */
  whyNoUnit: string | undefined;
  /** The program itself, for the unit. */
  program: string;
  /** What to listen on for everybody: by both protocols, where the machine has both. */
  everyAddress: "::" | "0.0.0.0";
}

const PACKAGED = ["/usr/lib/systemd/system/guildhall.service", "/lib/systemd/system/guildhall.service"];

export function thisMachine(): Machine {
  const isRoot = process.getuid?.() === 0;
  return {
    isRoot,
    hasUnit: isRoot && PACKAGED.some((path) => existsSync(path)),
    whyNoUnit: whyNoUnit(isRoot),
    program: process.execPath,
    everyAddress: hasSix() ? "::" : "0.0.0.0",
  };
}

function hasSix(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === "IPv6"));
}

function whyNoUnit(isRoot: boolean): string | undefined {
  if (!isRoot) return "Run the command with sudo.";
  // As sd_booted(3) finds out.
  if (!existsSync("/run/systemd/system")) return "This machine does not run systemd.";
  // A checkout is run by Bun.
  if (!Bun.main.startsWith("/$bunfs/")) return "A checkout has no unit. Use the built program.";
  return undefined;
}

/** A user of the machine, and their group. */
export interface Owner {
  uid: number;
  gid: number;
}

/** As /etc/passwd has it. Undefined where there is none. */
export function ownerOf(name: string): Owner | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return line === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
