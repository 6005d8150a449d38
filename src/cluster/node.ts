import { createHmac, timingSafeEqual } from "node:crypto";
import type { Core } from "../core/base/core.ts";
import type { Takeover } from "../core/base/db/leadership.ts";
import type { Version } from "./version.ts";

/** `fenced`: it led, and another node does by now. */
export const ROLES = ["leader", "follower", "fenced"] as const;
export type Role = (typeof ROLES)[number];

/** What a node says of itself (docs/contract.md#12.31). */
export interface Node extends Version {
  /** This run of the program, by chance: two that believe to be the same node are told apart. */
  node: string;
  role: Role;
  /** The line of its database, see `Position`. */
  line: string;
  /** The latest epoch that it has heard of, its own included. */
  heard: number;
  /** How far it knows the leader to be, or to have been. */
  seen: Version;
  /** Of its database, the newest last. */
  takeovers: readonly Takeover[];
  /** Where it listens, as it sees it. */
  url: string;
}

const NODE_BYTES = 9;

/** For one run of the program. */
export function newNode({ random }: Pick<Core, "random">): string {
  return Buffer.from(random.bytes(NODE_BYTES)).toString("base64url");
}

/** What a node asks another one with: as what it hands on (`SignedForward`), and of its own. */
export const NODE_HEADER = "guildhall-node";
/** With which it signs what it answers. */
export const ANSWER_HEADER = "guildhall-answer";

type Keys = Pick<Core, "secrets">;

/** Of an answer to the request that was handed over with this header: it answers no other one. */
export function signAnswer({ secrets }: Keys, asked: string, body: string): string {
  return macOf(secrets.derivedKeys("cluster")[0], asked, body);
}

/** Whether a node of this community has given this answer to that request. */
export function isAnswerOf({ secrets }: Keys, asked: string, body: string, sent: string): boolean {
  return secrets.derivedKeys("cluster").some((key) => {
    const own = macOf(key, asked, body);
    return own.length === sent.length && timingSafeEqual(Buffer.from(own), Buffer.from(sent));
  });
}

function macOf(key: string, asked: string, body: string): string {
  return createHmac("sha256", key).update(`answer\n${asked}\n${body}`).digest("base64url");
}

/** Undefined for what no node says. */
export function readNode(text: string): Node | undefined {
  const said: unknown = JSON.parse(text);
  if (typeof said !== "object" || said === null) return undefined;
  const { node, role, line, epoch, commits, heard, seen, takeovers, url } = said as Readonly<
    Record<string, unknown>
  >;
  const isSaid =
    [node, line, url].every((each) => typeof each === "string") &&
    [epoch, commits, heard].every((each) => Number.isSafeInteger(each)) &&
    ROLES.some((each) => each === role) &&
    typeof seen === "object" &&
    seen !== null &&
    Array.isArray(takeovers);
  return isSaid ? (said as Node) : undefined;
}
