import type { Caller } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError, type ErrorName } from "../../src/core/base/errors.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { createMember, signedInNow } from "../support.ts";

export function createCallers<Name extends string>(core: Core, ...names: Name[]): Record<Name, Caller> {
  return Object.fromEntries(
    names.map((name) => [name, signedInNow(core, createMember(core, name).caller)]),
  ) as never;
}

export function createTools(core: Core, owner: Caller, name = "Tools"): string {
  return createWorkspace(core, owner, owner.username, { name });
}

export const tokenOf = (url: string): string => new URL(url).searchParams.get("token") ?? "";

export function addMembers(core: Core, owner: Caller, id: string, ...newcomers: Caller[]): void {
  for (const newcomer of newcomers) joinWorkspace(core, newcomer, tokenOf(inviteMember(core, owner, id).url));
}

/** The error name of a refusal, or undefined if `action` succeeds. */
export function refusalOf(action: () => unknown): ErrorName | undefined {
  try {
    action();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CoreError) return thrown.error;
    throw thrown;
  }
}
