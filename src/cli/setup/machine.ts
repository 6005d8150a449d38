import { existsSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";

/** The machine on which the program is set up. */
export interface Machine {
  isRoot: boolean;
  /** Whether a package has installed the systemd unit. */
  hasUnit: boolean;
  whyNoUnit: string | undefined;
  /** Path of the program, which the unit starts. */
  program: string;
  /** The address to listen on for all clients: IPv6 and IPv4, if the machine has both. */
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
    everyAddress: hasIpv6() ? "::" : "0.0.0.0",
  };
}

function hasIpv6(): boolean {
  return Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === "IPv6"));
}

function whyNoUnit(isRoot: boolean): string | undefined {
  if (!isRoot) return "Run the command with sudo.";
  // The same check as sd_booted(3).
  if (!existsSync("/run/systemd/system")) return "This machine does not run systemd.";
  // A checkout runs with Bun, so a unit cannot start it.
  if (!Bun.main.startsWith("/$bunfs/")) return "A checkout has no unit. Use the built program.";
  return undefined;
}

/** A user of the machine, and the user's group. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Looks up a user in /etc/passwd. Returns undefined if there is none. */
export function ownerOf(name: string): Owner | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return line === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
