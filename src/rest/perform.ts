import { type TObject, Type } from "@sinclair/typebox";
import { check } from "../core/base/check.ts";
import type { Core } from "../core/base/core.ts";
import { CoreError, refuse, unauthorized } from "../core/base/errors.ts";
import { withUploadLimit } from "../core/community/media/picture-storage.ts";
import { withKeyLock } from "../core/base/idempotency/idempotency.ts";
import { type Caller, requireScope } from "../core/identity/access/caller.ts";
import { etagOf, matchesEtag } from "../http/answer.ts";
import { readJson } from "../http/body.ts";
import { commitAs, currentCaller } from "../http/commit.ts";
import { answerOnce, findStoredAnswer, keyedRequest } from "../http/idempotency.ts";
import type { Listeners } from "../http/listeners.ts";
import type { RequestContext } from "../http/context.ts";
import { isUpload, readUpload } from "../http/upload.ts";
import type { OpenOperation } from "../operations/open.ts";
import type {
  OperationRequest,
  ListOperation,
  Operation,
  UploadOperation,
  WriteOperation,
} from "../operations/operation.ts";
import { type Answer, respond } from "./answer.ts";
import { streamEvents, type LiveRequest, liveRequestOf, waitFor } from "./events.ts";
import { queryOf, statusOf } from "./form.ts";
import type { Page } from "../core/base/page.ts";
import { pageRequest, presentPage } from "./page.ts";
import { type Presenter, presenterOf } from "./present.ts";
import { parseQuery, refuseUnknown } from "./query.ts";

type Params = Readonly<Record<string, string>>;
type Reading = Exclude<Operation, WriteOperation | UploadOperation>;

/** Answers a request. Never throws: errors become the response of `context.refuse`. */
export type Performer = (context: RequestContext, params: Params) => Response | Promise<Response>;

/** Returns the performer of an operation. `reading` is the operation that reads the changed item, if any. */
export function performerOf(
  core: Core,
  op: Operation,
  reading: Reading | undefined,
  listeners: Listeners,
): Performer {
  const perform =
    op.kind === "write"
      ? writes(core, op, reading)
      : op.kind === "upload"
        ? uploads(core, op)
        : reads(core, op, listeners);
  return (context, params) => {
    try {
      const response = perform(context, params);
      return response instanceof Promise ? response.catch(context.refuse) : response;
    } catch (thrown) {
      return context.refuse(thrown);
    }
  };
}

/** Returns the handler of an operation that needs no token. */
export function viewWriterOf(
  core: Core,
  op: OpenOperation,
): (context: RequestContext) => Response | Promise<Response> {
  const [query, present] = [Type.Object({}), presenterOf(op.view)];
  return (context) => {
    try {
      readQuery(query, context);
      return respond(context, { status: 200, body: present(op.run({ core, caller: context.caller })) });
    } catch (thrown) {
      return context.refuse(thrown);
    }
  };
}

/** Parses the query, calls the core and presents the result. */
function reads(core: Core, op: Reading, listeners: Listeners): Performer {
  const [query, read] = [queryOf(op), readerOf(op)];
  const isGrowing = op.kind === "list" && op.growing !== undefined;
  return (context, params) => {
    const operationRequest = operationRequestOf(core, op, context, params);
    const liveRequest = isGrowing ? liveRequestOf(context, listeners) : undefined;
    const answer = read(operationRequest, readQuery(query, context), liveRequest);
    return answer instanceof Promise
      ? answer.then((given) => respond(context, given))
      : respond(context, answer);
  };
}

/** Parses the request, calls the core in a transaction and presents the result. */
function writes(core: Core, op: WriteOperation, reading: Reading | undefined): Performer {
  const [query, write, guard] = [queryOf(op), writerOf(op), guardOf(reading)];
  return async (context, params) => {
    const operationRequest = operationRequestOf(core, op, context, params);
    readQuery(query, context);
    const { text, value } =
      op.draft && !(op.isDraftOptional && hasNoBody(context.request))
        ? await readJson(context)
        : { text: "", value: {} };
    const draft = op.draft ? check(op.draft, value) : {};
    const keyed = keyedRequest(context, operationRequest.caller, `POST ${context.path}`, text);
    const guarded = guard(operationRequest, context);
    if (!keyed) {
      const answer = await write(operationRequest, draft, (effect) =>
        commitAs(core, context, (caller) => guarded(caller, () => effect(caller))),
      );
      return respond(context, answer);
    }
    // A repeated request does not run the operation, so the scope is checked here.
    const caller = await currentCaller(context);
    requireScope(caller, op.scope);
    return withKeyLock(core, keyed, async () => {
      const earlier = findStoredAnswer<Answer>(core, context, keyed);
      const answer = await (earlier ??
        write({ ...operationRequest, caller }, draft, (effect) =>
          commitAs(core, context, (now) => answerOnce(core, context, keyed, () => effect(now))),
        ));
      return respond(context, answer);
    });
  };
}

/** Longest silence of a connection, in seconds, while an image is queued and encoded. */
const ENCODING_SECONDS = 240;

/**
 * Checks permissions before reading the body. Writes the file to disk and encodes it outside the request
 * thread.
 */
function uploads(core: Core, op: UploadOperation): Performer {
  const present = presenterOf(op.view);
  return (context, params) => {
    const operationRequest = operationRequestOf(core, op, context, params);
    readQuery(queryOf(op), context);
    op.admit(operationRequest);
    if (!isUpload(context.request)) throw refuse("upload_not_sent_as_form");
    return withUploadLimit(core, operationRequest.caller.builderId ?? "", async (pictures) => {
      const { file, fields } = await readUpload(context, pictures.receive);
      try {
        if (!file) throw refuse("file_missing");
        const draft = check(op.draft, Object.fromEntries(fields));
        context.keepOpen(ENCODING_SECONDS);
        const body = JSON.stringify([file.digest(), draft]);
        const keyed = keyedRequest(context, operationRequest.caller, `POST ${context.path}`, body);
        const write = async (): Promise<Answer> => {
          const sizes = await pictures.encode(file, operationRequest.caller.builderId ?? "");
          const run = (caller: Caller): Answer => {
            const created = op.run({
              ...operationRequest,
              caller,
              draft: draft as never,
              encodedSizes: sizes,
            });
            return {
              status: 201,
              body: present(created),
              headers: { location: op.locationOf(created as never) },
            };
          };
          return commitAs(core, context, (caller) =>
            keyed ? answerOnce(core, context, keyed, () => run(caller)) : run(caller),
          );
        };
        if (!keyed) return respond(context, await write());
        requireScope(await currentCaller(context), op.scope);
        return await withKeyLock(core, keyed, async () =>
          respond(context, await (findStoredAnswer<Answer>(core, context, keyed) ?? write())),
        );
      } finally {
        await file?.discard();
      }
    });
  };
}

/** `liveRequest` is set if the request may stream the list or wait for items. */
type Reader = (
  operationRequest: OperationRequest,
  query: object,
  liveRequest: LiveRequest | undefined,
) => Answer | Promise<Answer>;

function readerOf(op: Reading): Reader {
  const present = presenterOf(op.view);
  switch (op.kind) {
    case "read":
      return (operationRequest) => ({ status: 200, body: present(op.run(operationRequest)) });
    case "all":
      return (operationRequest) => ({
        status: 200,
        body: { data: op.run(operationRequest).map(present) },
      });
    case "list":
      return pagesOf(op, present);
  }
}

function pagesOf(op: ListOperation, present: Presenter): Reader {
  const filterNames = Object.keys(op.filter?.properties ?? {});
  return ({ core, caller, id }, query, liveRequest) => {
    const { limit, cursor, wait } = query as { limit: number; cursor?: string; wait?: number };
    const filter: Record<string, unknown> = {};
    for (const name of filterNames)
      if (name in query) filter[name] = (query as Record<string, unknown>)[name];
    const part = { core, caller, id, filter: filter as never };
    if (liveRequest?.isStream)
      return streamEvents(op, part, liveRequest).then((stream) => ({ status: 200, stream }));
    const request = pageRequest(cursor === undefined ? { limit } : { limit, cursor });
    const answer = (page: Page<unknown>): Answer | Promise<Answer> =>
      page.nodes.length === 0 && wait && liveRequest?.mayWait
        ? waitFor(op, part, request, wait, liveRequest).then((waited) => presentPage(waited, present))
        : presentPage(page, present);
    const found = op.run({ core, caller, id, filter: part.filter, page: request });
    if (!(found instanceof Promise)) return answer(found);
    return found.then(async (page) => {
      // Throws if the caller lost the right to read meanwhile.
      await liveRequest?.callerNow();
      return answer(page);
    });
  };
}

/**
 * Runs an effect in its own transaction, with the permissions that the caller has during the transaction.
 * Resolves when the transaction is on disk.
 */
type Commit = (effect: (caller: Caller) => Answer) => Promise<Answer>;

function writerOf(
  op: WriteOperation,
): (operationRequest: OperationRequest, draft: unknown, commit: Commit) => Promise<Answer> {
  const { view, locationOf } = op;
  const [present, status] = [view && presenterOf(view), statusOf(op)];
  return async (operationRequest, draft, commit) => {
    const prepared = op.prepare ? await op.prepare({ ...operationRequest, draft: draft as never }) : draft;
    return commit((caller) => {
      const created = op.run({ ...operationRequest, caller, draft: prepared as never });
      return {
        status,
        ...(present ? { body: present(created) } : {}),
        ...(locationOf ? { headers: { location: `/v1${locationOf(created as never)}` } } : {}),
      };
    });
  };
}

/**
 * Checks the credentials first, so a guest learns nothing about valid queries or bodies. Then checks the
 * scope, because a better query or body would not help (docs/contract.md#1.15). The core checks the scope
 * again.
 */
function operationRequestOf(
  core: Core,
  op: Operation,
  context: RequestContext,
  params: Params,
): OperationRequest {
  const { caller } = context;
  if (!caller) throw unauthorized();
  const { scope, orScopes, param } = op;
  if (!caller.scopes.has(scope) && !orScopes?.some((other) => caller.scopes.has(other)))
    requireScope(caller, scope);
  return { core, caller, id: param ? (params[param.name] ?? "") : "" };
}

/** Unknown parameters are ignored, unless the client asks for strict handling (RFC 7240 §4.4). */
function readQuery(query: TObject, context: RequestContext): object {
  const prefer = context.request.headers.get("prefer");
  if (prefer !== null && STRICT.test(prefer)) {
    context.headers["preference-applied"] = "handling=strict";
    refuseUnknown(query, context.query);
  }
  return parseQuery(query, context.query);
}

const STRICT = /(?:^|,)[ \t]*handling[ \t]*=[ \t]*(?:strict|"strict")[ \t]*(?:$|[,;])/i;

/** Whether a request has no body, because it has neither of these two headers (RFC 9112 §6.3). */
function hasNoBody({ headers }: Request): boolean {
  return (headers.get("content-length") ?? "0") === "0" && !headers.has("transfer-encoding");
}

type Guarded = (caller: Caller, effect: () => Answer) => Answer;

/**
 * RFC 9110 §13.1.1: with `If-Match`, an effect is kept only if the item is unchanged since the client read
 * it. The check runs inside the transaction, so only one of two writers passes. The check runs after the
 * effect, so other errors come first (RFC 9110 §13.2.1). An item that cannot be read has no ETag, so the
 * check fails.
 */
function guardOf(
  reading: Reading | undefined,
): (operationRequest: OperationRequest, context: RequestContext) => Guarded {
  const read = reading && readerOf(reading);
  const query = reading && queryOf(reading);
  return (operationRequest, context) => {
    const ifMatch = context.method === "POST" ? null : context.request.headers.get("if-match");
    if (ifMatch === null) return (_caller, effect) => effect();
    return (caller, effect) => {
      const before =
        read &&
        query &&
        tagOf(() => read({ ...operationRequest, caller }, parseQuery(query, context.query), undefined));
      const answer = effect();
      if (!matchesEtag(ifMatch, before)) throw refuse("changed_meanwhile");
      return answer;
    };
  };
}

/** Returns the ETag of the response. Undefined if the item does not exist. */
function tagOf(read: () => Answer | Promise<Answer>): string | undefined {
  try {
    const answer = read();
    if (answer instanceof Promise) throw new Error("a promise cannot be read inside a transaction");
    return etagOf(JSON.stringify(answer.body));
  } catch (thrown) {
    if (thrown instanceof CoreError && thrown.error === "not_found") return undefined;
    throw thrown;
  }
}
