import type { Caller } from "../../src/core/identity/access/caller.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError, type ErrorName } from "../../src/core/base/errors.ts";
import { inviteMember, joinWorkspace } from "../../src/core/delegation/workspaces/invitations.ts";
import { createWorkspace } from "../../src/core/delegation/workspaces/workspaces.ts";
import { moveIn, signedInNow } from "../support.ts";

export function people<Name extends string>(core: Core, ...names: Name[]): Record<Name, Caller> {
  return Object.fromEntries(
    names.map((name) => [name, signedInNow(core, moveIn(core, name).caller)]),
  ) as never;
}

export function found(core: Core, owner: Caller, name = "Tools"): string {
  return createWorkspace(core, owner, owner.username, { name });
}

export const tokenOf = (url: string): string => new URL(url).searchParams.get("token") ?? "";

export function bringIn(core: Core, owner: Caller, id: string, ...newcomers: Caller[]): void {
  for (const newcomer of newcomers) joinWorkspace(core, newcomer, tokenOf(inviteMember(core, owner, id).url));
}

/** The error name of a refusal, or undefined if `act` succeeds. */
export function refusalOf(act: () => unknown): ErrorName | undefined {
  try {
    act();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CoreError) return thrown.error;
    throw thrown;
  }
}
