import { expect } from "bun:test";
import { type BuilderCaller, type Caller, OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createAccount, signIn } from "../../src/core/identity/accounts/accounts.ts";
import { sessionOf, type SignedIn, type SignInOrigin } from "../../src/core/identity/accounts/sessions.ts";
import type { Role } from "../../src/core/identity/access/roles.ts";
import type { Core } from "../../src/core/base/core.ts";
import { CoreError, type ErrorName } from "../../src/core/base/errors.ts";

export const PASSWORD = "correct horse battery";
export const HOME: SignInOrigin = { address: "203.0.113.7", agent: "Firefox on Linux" };

export function signInOriginAt(address: string): SignInOrigin {
  return { address, agent: "Firefox on Linux" };
}

/** A member with a password who has just signed in at `HOME`. */
export async function createSignedInMember(
  core: Core,
  username: string,
  { role = "member" }: { role?: Role } = {},
): Promise<SignedIn & { caller: BuilderCaller }> {
  await createAccount(core, OPERATOR, { username, name: username, role, password: PASSWORD });
  return withCaller(core, await signIn(core, HOME, { username, password: PASSWORD }));
}

/** Adds the caller of the session. */
export function withCaller(core: Core, opened: SignedIn): SignedIn & { caller: BuilderCaller } {
  return { ...opened, caller: callerOf(core, opened.secret) };
}

export function callerOf(core: Core, secret: string): BuilderCaller {
  const found = sessionOf(core, secret, HOME.address);
  if (!found) throw new Error("nobody is signed in with that secret");
  return found.caller;
}

/** Error name of a refusal (docs/contract.md#V7), or `done`. */
export async function outcomeOf(work: () => unknown): Promise<ErrorName | "done"> {
  try {
    await work();
    return "done";
  } catch (error) {
    if (error instanceof CoreError) return error.error;
    throw error;
  }
}

export async function refusalOf(work: () => unknown): Promise<CoreError> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    return error as CoreError;
  }
  throw new Error("it was not refused");
}

export async function countOutcomes(work: Promise<unknown>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of await Promise.all(work.map((item) => outcomeOf(() => item)))) {
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

export function tokenIn(url: string): string {
  return [...new URL(url).searchParams.values()][0] ?? "";
}

/** The caller as if it used a token. */
export function asToken(caller: Caller): Caller {
  return { ...caller, means: "token" };
}
