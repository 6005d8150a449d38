import { CoreError } from "../../core/base/errors.ts";
import { sessionOf, type SignedIn, writeAs } from "../../core/identity/accounts/sessions.ts";
import { inTrace } from "../../core/outbox/events/trace.ts";
import { formTokenOf, maskToken } from "./cookies.ts";
import type { PageAnswer, PersonContext } from "./route.ts";
import { sessionCookies } from "./session-cookies.ts";

/**
 * Answers the rest of a request in a session that the request has opened. The answer sets the cookies of the
 * session. Its forms are bound to the session, because the former session has ended. If the work is refused,
 * the response redirects to `next`, since the cookies must arrive with any response.
 */
export async function answerInNewSession(
  ctx: PersonContext,
  signedIn: SignedIn,
  next: string,
  handle: (ctx: PersonContext) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { core, context } = ctx;
  const found = sessionOf(core, signedIn.secret, context.address());
  const cookies = sessionCookies(ctx, signedIn);
  if (!found) return { to: next, cookies };
  const { caller } = found;
  try {
    const answer = await handle({
      ...ctx,
      person: { ...found, signedInAt: found.session.createdAt },
      formToken: maskToken(formTokenOf(signedIn.secret), core.random.bytes(32)),
      write: (change) => writeAs(core, caller, () => inTrace(core, context.traceparent, change)),
    });
    return withCookies(answer, cookies);
  } catch (error) {
    if (!(error instanceof CoreError)) throw error;
    context.report(error);
    return { to: next, cookies };
  }
}

function withCookies(answer: PageAnswer, cookies: readonly string[]): PageAnswer {
  if (answer instanceof Response) {
    for (const cookie of cookies) answer.headers.append("set-cookie", cookie);
    return answer;
  }
  if ("to" in answer) return { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] };
  const headers = [
    ...(answer.policy?.headers ?? []),
    ...cookies.map((cookie) => ["set-cookie", cookie] as const),
  ];
  return { ...answer, policy: { ...answer.policy, headers } };
}
