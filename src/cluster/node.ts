import { createHmac, timingSafeEqual } from "node:crypto";
import type { Core } from "../core/base/core.ts";
import type { Takeover } from "../core/base/db/leadership.ts";
import type { Version } from "./version.ts";

/** `fenced`: the node led, and another node leads now. */
export const ROLES = ["leader", "follower", "fenced"] as const;
export type Role = (typeof ROLES)[number];

/** The state that a node reports about itself (docs/contract.md#12.31). */
export interface Node extends Version {
  /** Random id of this run of the process. It distinguishes two processes that use the same identity. */
  node: string;
  role: Role;
  /** History line of the node's database, see `Position`. */
  line: string;
  /** Latest epoch that the node knows, including its own. */
  heard: number;
  /** Latest version that the leader is known to have, or to have had. */
  seen: Version;
  /** Takeovers recorded in the node's database, oldest first. */
  takeovers: readonly Takeover[];
  /** URL of the node's listener, from the node's own point of view. */
  url: string;
}

const NODE_BYTES = 9;

/** Returns a random id for this run of the process. */
export function newNode({ random }: Pick<Core, "random">): string {
  return Buffer.from(random.bytes(NODE_BYTES)).toString("base64url");
}

/**
 * Header that signs a request from one node to another. Same format as for forwarded requests
 * (`SignedForward`).
 */
export const NODE_HEADER = "guildhall-node";
/** Header with which a node signs its response. */
export const ANSWER_HEADER = "guildhall-answer";

type Keys = Pick<Core, "secrets">;

/**
 * Signs a response to the request with this `NODE_HEADER` value. The signature is not valid for a response to
 * any other request.
 */
export function signAnswer({ secrets }: Keys, nonce: string, body: string): string {
  return macOf(secrets.derivedKeys("cluster")[0], nonce, body);
}

/** Whether a node of this community signed this response to that request. */
export function isAnswerOf({ secrets }: Keys, nonce: string, body: string, sent: string): boolean {
  return secrets.derivedKeys("cluster").some((key) => {
    const own = macOf(key, nonce, body);
    return own.length === sent.length && timingSafeEqual(Buffer.from(own), Buffer.from(sent));
  });
}

function macOf(key: string, nonce: string, body: string): string {
  return createHmac("sha256", key).update(`answer\n${nonce}\n${body}`).digest("base64url");
}

/** Returns undefined if the JSON does not describe a node. Throws if `text` is not JSON. */
export function readNode(text: string): Node | undefined {
  const fields: unknown = JSON.parse(text);
  if (typeof fields !== "object" || fields === null) return undefined;
  const { node, role, line, epoch, commits, heard, seen, takeovers, url } = fields as Readonly<
    Record<string, unknown>
  >;
  const isValid =
    [node, line, url].every((each) => typeof each === "string") &&
    [epoch, commits, heard].every((each) => Number.isSafeInteger(each)) &&
    ROLES.some((each) => each === role) &&
    typeof seen === "object" &&
    seen !== null &&
    Array.isArray(takeovers);
  return isValid ? (fields as Node) : undefined;
}
