import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import type { EncodedSizes } from "../core/community/media/picture-storage.ts";
import type { Core } from "../core/base/core.ts";
import type { Page, PageRequest } from "../core/base/page.ts";

/*
 * The operations of the product. REST routes, the OpenAPI document, GraphQL mutations, the reference and the
 * parity tests are derived from these definitions. An operation is independent of the transport: it takes the
 * caller and the input, and returns a domain object.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The properties of every operation. */
interface OperationBase {
  /** The name in every transport, such as `createPost`. `area` sets it to the key of the operation. */
  id: string;
  /** Method and path below /v1: `GET /jobs/{id}`. */
  route: `${Method} /${string}`;
  group: string;
  summary: string;
  /** A description that holds for every transport. */
  description?: string;
  /** A description for REST only, such as statuses and URLs. */
  restDescription?: string;
  scope: Scope;
  /** Other scopes that also grant access. Each grants access only to the items that the scope covers. */
  orScopes?: readonly Scope[];
  /** The path parameter. */
  param?: Param;
  /** The content of the response, in words. */
  responseDescription: string;
  /** Example values that replace those of the view. `undefined` removes a field that is usually absent. */
  example?: Readonly<Record<string, unknown>>;
  /** Error statuses besides those that `refusalsOf` in rest/form.ts derives. */
  refusals?: readonly (404 | 409 | 422)[];
}

export interface Param {
  name: string;
  description: string;
  example: string;
}

/** The caller of an operation, and the item that it is called for. */
export interface OperationRequest {
  core: Core;
  caller: Caller;
  /** The path parameter, or an empty string. */
  id: string;
}

export interface ReadOperation extends OperationBase {
  kind: "read";
  view: TSchema;
  run(request: OperationRequest): unknown;
}

export interface ListOperation extends OperationBase {
  kind: "list";
  /** The schema name of a page. */
  page: string;
  filter?: TObject;
  view: TSchema;
  run(
    request: OperationRequest & { filter: never; page: PageRequest },
  ): Page<unknown> | Promise<Page<unknown>>;
  /** Set for lists that grow at the end: how clients wait for new items or stream them. */
  growing?: FollowedList<never, never>;
}

export interface FollowedList<Filter, Node> {
  /** Longest time that a client may wait for the first item, in seconds. */
  waitMax: number;
  /** Returns the filter that starts a stream. `lastId` is the last item that the client received, if any. */
  startFilter(request: OperationRequest & { filter: Filter }, lastId: string | undefined): Filter;
  /** Returns the filter for the items after `last`. */
  filterAfter(last: Node): Filter;
  /** Returns the event data of an item. */
  serialize(node: Node): string;
}

/** A list that is returned in full. A limit bounds its length, so it needs no pages. */
export interface AllOperation extends OperationBase {
  kind: "all";
  /** The schema name of the list. */
  list: string;
  view: TSchema;
  run(request: OperationRequest): readonly unknown[];
}

/** Whether a write creates, changes or removes an item. */
export type Effect = "creates" | "changes" | "removes";

export interface WriteOperation extends OperationBase {
  kind: "write";
  effect: Effect;
  draft?: TObject;
  /** Whether a missing body counts as an empty draft. */
  isDraftOptional?: boolean;
  /** The view of the result. Without it the response has no body. */
  view?: TSchema;
  /** Does asynchronous work before the transaction. Returns the draft for `run`. */
  prepare?(request: OperationRequest & { draft: never }): Promise<unknown>;
  /** Runs in one transaction. `caller` has the permissions that are valid during the transaction. */
  run(request: OperationRequest & { draft: never }): unknown;
  /** Returns the path of the created item below /v1. */
  locationOf?(created: never): string;
}

/** Creates an item from an uploaded file. Only REST supports uploads. */
export interface UploadOperation extends OperationBase {
  kind: "upload";
  /** The form fields besides the file. */
  draft: TObject;
  view: TSchema;
  /** Throws if the caller may not upload. Called before the file is read. */
  admit(request: OperationRequest): void;
  /** Runs in one transaction. `caller` has the permissions that are valid during the transaction. */
  run(request: OperationRequest & { draft: never; encodedSizes: EncodedSizes }): unknown;
  /** Returns the URL path of the created file, without scheme and host. */
  locationOf(created: never): string;
}

export type Operation = ReadOperation | ListOperation | AllOperation | WriteOperation | UploadOperation;

/** Returns the sentence about the scopes that an operation needs, with each scope in code style. */
export function scopeSentence({ scope, orScopes = [] }: Pick<Operation, "scope" | "orScopes">): string {
  const scopes = [scope, ...orScopes].map((name) => `\`${name}\``);
  return scopes.length === 1
    ? `Requires the ${scopes[0]} scope.`
    : `Requires one of these scopes: ${scopes.join(", ")}.`;
}

/** Returns the method, and the path below /v1 in OpenAPI form: `/jobs/{id}`. */
export function addressOf({ route }: Pick<Operation, "route">): { method: Method; path: string } {
  const [method, path] = route.split(" ") as [Method, string];
  return { method, path };
}

/** An operation without the fields that `area` sets. */
type Unnamed<Op> = Omit<Op, "id" | "group">;

/** Defines the operations of one documentation group. The key of an operation becomes its `id`. */
export function area<Ops extends Readonly<Record<string, object>>>(
  group: string,
  ops: Ops,
): { readonly [Id in keyof Ops]: Ops[Id] & Pick<Operation, "id" | "group"> } {
  const named = Object.entries(ops).map(([id, op]) => [id, { id, group, ...op }]);
  return Object.fromEntries(named) as never;
}

type Nothing = Record<never, never>;
type DraftOf<Schema> = Schema extends TSchema ? Static<Schema> : Nothing;

/** Infers the types from the schemas. A result that lacks a field of its view is a type error. */
export function read<View extends TSchema>(
  op: Omit<ReadOperation, "id" | "group" | "kind" | "view" | "run"> & {
    view: View;
    run(request: OperationRequest): Static<View>;
  },
): Unnamed<ReadOperation> {
  return { kind: "read", ...op };
}

export function list<
  View extends TSchema,
  Node extends Static<View>,
  Filter extends TObject | undefined = undefined,
>(
  op: Omit<ListOperation, "id" | "group" | "kind" | "filter" | "view" | "run" | "growing"> & {
    filter?: Filter;
    view: View;
    growing?: FollowedList<DraftOf<Filter>, Node>;
    run(
      request: OperationRequest & { filter: DraftOf<Filter>; page: PageRequest },
    ): Page<Node> | Promise<Page<Node>>;
  },
): Unnamed<ListOperation> {
  return { kind: "list", ...op } as unknown as Unnamed<ListOperation>;
}

export function all<View extends TSchema, Node extends Static<View>>(
  op: Omit<AllOperation, "id" | "group" | "kind" | "view" | "run"> & {
    view: View;
    run(request: OperationRequest): readonly Node[];
  },
): Unnamed<AllOperation> {
  return { kind: "all", ...op };
}

export function upload<View extends TSchema, Draft extends TObject>(
  op: Omit<UploadOperation, "id" | "group" | "kind" | "draft" | "view" | "run" | "locationOf"> & {
    draft: Draft;
    view: View;
    run(request: OperationRequest & { draft: Static<Draft>; encodedSizes: EncodedSizes }): Static<View>;
    locationOf(created: Static<View>): string;
  },
): Unnamed<UploadOperation> {
  return { kind: "upload", ...op };
}

/** A write that keeps its draft and result types for the transports. */
export type Write<Draft, Result> = Omit<WriteOperation, "draft" | "run" | "prepare"> & {
  draft?: TObject;
  prepare?(request: OperationRequest & { draft: Draft }): Promise<unknown>;
  run(request: OperationRequest & { draft: Draft }): Result;
};

export function write<
  Result extends Shown,
  View extends TSchema | undefined = undefined,
  Draft extends TObject | undefined = undefined,
  Prepared = DraftOf<Draft>,
  Shown = View extends TSchema ? Static<View> : unknown,
>(
  op: Omit<WriteOperation, "id" | "group" | "kind" | "draft" | "view" | "prepare" | "run" | "locationOf"> & {
    draft?: Draft;
    view?: View;
    prepare?(request: OperationRequest & { draft: DraftOf<Draft> }): Promise<Prepared>;
    run(request: OperationRequest & { draft: Prepared }): Result;
    locationOf?(created: Result): string;
  },
): Unnamed<Write<DraftOf<Draft>, Result>> {
  return { kind: "write", ...op } as unknown as Unnamed<Write<DraftOf<Draft>, Result>>;
}
