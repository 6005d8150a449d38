import {
  createSourceEventStream,
  type ExecutionResult,
  executeSubscriptionEvent,
  type ValidatedSubscriptionArgs,
} from "graphql";
import type { LiveEvent } from "../core/services/live/live.ts";
import { CoreError } from "../core/base/errors.ts";
import type { Listeners } from "../http/listeners.ts";
import { createBatch } from "./batch.ts";
import type { GraphContext } from "./context.ts";
import { withinAnswerSize } from "./execution.ts";
import { toRequestRefusal, rejectRequest } from "./refusal.ts";
import { writeResult, type ResultJson } from "./result-json.ts";
import type { ShareSubscription } from "./subscription-cache.ts";
import { type AnswerSize, createSize } from "./answer-size.ts";
import type { StreamEvent } from "./event-frames.ts";

/** Starts a subscription after its cost is charged. Yields results until the client disconnects. */
export async function listen(
  listeners: Listeners,
  share: ShareSubscription,
  context: GraphContext,
  valid: ValidatedSubscriptionArgs,
): Promise<AsyncIterable<StreamEvent> | ExecutionResult> {
  const { http, accepts, operation } = context;
  const updateCaller = (now: GraphContext["caller"]): void => void (context.caller = now);
  const listener = rejectRequest(() =>
    operation ? listeners.join(http, updateCaller) : listeners.open(http, updateCaller),
  );
  context.listening = share(context, valid, listener);
  try {
    const source = await createSourceEventStream(valid);
    if (Symbol.asyncIterator in source) {
      operation?.admitted();
      return resultsOf(context, valid, source as AsyncIterable<LiveEvent<unknown>>);
    }
    const [error] = source.errors ?? [];
    const thrown = error?.originalError;
    // A refusal of the field is sent as an event if the client accepts only event streams or uses a shared
    // stream.
    if (error && thrown instanceof CoreError && (operation || accepts.json === undefined)) {
      listener.close();
      return { errors: [error] };
    }
    throw thrown ?? error;
  } catch (thrown) {
    listener.close();
    throw toRequestRefusal(thrown);
  }
}

/** Runs the operation once for each event. */
async function* resultsOf(
  context: GraphContext,
  valid: ValidatedSubscriptionArgs,
  source: AsyncIterable<LiveEvent<unknown>>,
): AsyncGenerator<StreamEvent> {
  try {
    for await (const event of source) {
      await context.operation?.acquireSlot();
      const answer = await context.listening.share(
        `answer ${event.id}`,
        (caller) => answerTo({ ...context, caller }, valid, event),
        ({ size, json }) => json?.length ?? size.characters,
      );
      if (!answer) return;
      const { size, result, json = (await writeResult({ ...context, size }, result)).json } = answer;
      yield { id: event.id, json };
      context.operation?.releaseSlot();
    }
  } catch (error) {
    // The error ends the stream without a `complete` frame. The client then reconnects with the last id that
    // it received.
    context.http.report(error);
  }
}

/**
 * Result of one event. A result without errors is serialized once, before it is shared by several requests.
 * Errors contain the request id, so each request serializes a result with errors separately.
 */
interface Answer {
  size: AnswerSize;
  result: ExecutionResult;
  json: ResultJson["json"] | undefined;
}

async function answerTo(
  context: GraphContext,
  valid: ValidatedSubscriptionArgs,
  event: LiveEvent<unknown>,
): Promise<Answer> {
  const size = { ...createSize(context.size.charactersMax), isExpensive: context.size.isExpensive };
  const contextValue = { ...context, size, batch: createBatch(size) };
  const made = executeSubscriptionEvent({ ...valid, rootValue: event, contextValue });
  // The event's id is part of the result, so that applications can read it. Client libraries hide the `id` of
  // a server-sent event.
  const extensions = { eventId: event.id };
  const result = { ...(await withinAnswerSize(contextValue, made as ExecutionResult)), extensions };
  const json = result.errors ? undefined : (await writeResult(contextValue, result)).json;
  return { size, result, json };
}
