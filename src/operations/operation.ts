import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Caller } from "../core/identity/access/caller.ts";
import type { Scope } from "../core/identity/access/scopes.ts";
import type { EncodedSizes } from "../core/community/media/picture-storage.ts";
import type { Core } from "../core/base/core.ts";
import type { Page, PageRequest } from "../core/base/page.ts";

/*
 * The operations of the product, each said once: REST's routes, the OpenAPI document, GraphQL's mutations,
 * the reference and the tests of parity read them here. An operation knows no transport: it is given who asks
 * and what for, and gives a noun.
 */

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What is said of every operation. */
interface OperationBase {
  /** Its name everywhere: `createPost`. Its key among those of its area. */
  id: string;
  /** Where v1 has it: `GET /jobs/{id}`. */
  at: `${Method} /${string}`;
  group: string;
  summary: string;
  /** True of it by whatever way it is asked. */
  description?: string;
  /** What only REST's readers need: statuses, addresses. */
  restDescription?: string;
  scope: Scope;
  /** Scopes of which each lets one in as well, to what it is for. */
  orScopes?: readonly Scope[];
  /** What the parameter in the path names. */
  param?: Param;
  /** What the answer is, in words. */
  gives: string;
  /**
   * Fields of the answer that another example than the view's fits; undefined for one that mostly is not
   * there.
   */
  example?: Readonly<Record<string, unknown>>;
  /** Refusals of its own, beside those that follow from its form; see `refusalsOf` in rest/form.ts. */
  refusals?: readonly (404 | 409 | 422)[];
}

export interface Param {
  name: string;
  description: string;
  example: string;
}

/** Who asks, and of what. */
export interface OperationRequest {
  core: Core;
  caller: Caller;
  /** The parameter in the path; empty where there is none. */
  id: string;
}

export interface ReadOperation extends OperationBase {
  kind: "read";
  view: TSchema;
  run(asked: OperationRequest): unknown;
}

export interface ListOperation extends OperationBase {
  kind: "list";
  /** The name of a page of them. */
  page: string;
  filter?: TObject;
  view: TSchema;
  run(asked: OperationRequest & { filter: never; page: PageRequest }): Page<unknown> | Promise<Page<unknown>>;
  /** Of a list that grows at its end while somebody reads: how one waits for more of it, or follows it. */
  growing?: FollowedList<never, never>;
}

export interface FollowedList<Filter, Node> {
  /** So many seconds one may wait for the first of them. */
  waitMax: number;
  /**
   * What somebody asks for first who follows it; `lastId` names the last that they were told, where they were
   * told any.
   */
  begin(asked: OperationRequest & { filter: Filter }, lastId: string | undefined): Filter;
  /** What they ask for next. */
  behind(last: Node): Filter;
  /** The form in which they are told one of them. */
  serialize(node: Node): string;
}

/** A list that is one answer: some rule bounds it, so it needs no pages. */
export interface AllOperation extends OperationBase {
  kind: "all";
  /** The name of the list. */
  list: string;
  view: TSchema;
  run(asked: OperationRequest): readonly unknown[];
}

/** What it does to the things there are: makes one, changes one, removes one. */
export type Effect = "makes" | "changes" | "removes";

export interface WriteOperation extends OperationBase {
  kind: "write";
  effect: Effect;
  draft?: TObject;
  /** Whether no draft at all says the same as an empty one. */
  isDraftOptional?: boolean;
  /** What is shown of the result; none where nothing is. */
  view?: TSchema;
  /** What has to be waited for, before the transaction: gives the draft for `run`. */
  prepare?(asked: OperationRequest & { draft: never }): Promise<unknown>;
  /** In one transaction, as whoever asks is known in it. */
  run(asked: OperationRequest & { draft: never }): unknown;
  /** Where what was made is found, below /v1. */
  place?(made: never): string;
}

/** Makes something of a file that is sent. Only REST has it: no other form of ours carries files. */
export interface UploadOperation extends OperationBase {
  kind: "upload";
  /** What is sent beside the file. */
  draft: TObject;
  view: TSchema;
  /** Refuses before anything of the file is read. */
  admit(asked: OperationRequest): void;
  /** In one transaction, as whoever asks is known in it. */
  run(asked: OperationRequest & { draft: never; drawn: EncodedSizes }): unknown;
  /** Where what was made is served, relative to the host. */
  place(made: never): string;
}

export type Operation = ReadOperation | ListOperation | AllOperation | WriteOperation | UploadOperation;

/** Its method, and its path below /v1 as OpenAPI writes it: `/jobs/{id}`. */
export function addressOf({ at }: Pick<Operation, "at">): { method: Method; path: string } {
  const [method, path] = at.split(" ") as [Method, string];
  return { method, path };
}

/** An operation before its area names it. */
type Unnamed<Op> = Omit<Op, "id" | "group">;

/** The operations of one group of the document, each named by its key. */
export function area<Ops extends Readonly<Record<string, object>>>(
  group: string,
  ops: Ops,
): { readonly [Id in keyof Ops]: Ops[Id] & Pick<Operation, "id" | "group"> } {
  const named = Object.entries(ops).map(([id, op]) => [id, { id, group, ...op }]);
  return Object.fromEntries(named) as never;
}

type Nothing = Record<never, never>;
type DraftOf<Schema> = Schema extends TSchema ? Static<Schema> : Nothing;

/**
 * Gives each of them the types of its own schemas: a result that its view does not show whole is a type
 * error.
 */
export function read<View extends TSchema>(
  op: Omit<ReadOperation, "id" | "group" | "kind" | "view" | "run"> & {
    view: View;
    run(asked: OperationRequest): Static<View>;
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
      asked: OperationRequest & { filter: DraftOf<Filter>; page: PageRequest },
    ): Page<Node> | Promise<Page<Node>>;
  },
): Unnamed<ListOperation> {
  return { kind: "list", ...op } as unknown as Unnamed<ListOperation>;
}

export function all<View extends TSchema, Node extends Static<View>>(
  op: Omit<AllOperation, "id" | "group" | "kind" | "view" | "run"> & {
    view: View;
    run(asked: OperationRequest): readonly Node[];
  },
): Unnamed<AllOperation> {
  return { kind: "all", ...op };
}

export function upload<View extends TSchema, Draft extends TObject>(
  op: Omit<UploadOperation, "id" | "group" | "kind" | "draft" | "view" | "run" | "place"> & {
    draft: Draft;
    view: View;
    run(asked: OperationRequest & { draft: Static<Draft>; drawn: EncodedSizes }): Static<View>;
    place(made: Static<View>): string;
  },
): Unnamed<UploadOperation> {
  return { kind: "upload", ...op };
}

/** A write whose types the transports can still see. */
export type Write<Draft, Result> = Omit<WriteOperation, "draft" | "run" | "prepare"> & {
  draft?: TObject;
  prepare?(asked: OperationRequest & { draft: Draft }): Promise<unknown>;
  run(asked: OperationRequest & { draft: Draft }): Result;
};

export function write<
  Result extends Shown,
  View extends TSchema | undefined = undefined,
  Draft extends TObject | undefined = undefined,
  Prepared = DraftOf<Draft>,
  Shown = View extends TSchema ? Static<View> : unknown,
>(
  op: Omit<WriteOperation, "id" | "group" | "kind" | "draft" | "view" | "prepare" | "run" | "place"> & {
    draft?: Draft;
    view?: View;
    prepare?(asked: OperationRequest & { draft: DraftOf<Draft> }): Promise<Prepared>;
    run(asked: OperationRequest & { draft: Prepared }): Result;
    place?(made: Result): string;
  },
): Unnamed<Write<DraftOf<Draft>, Result>> {
  return { kind: "write", ...op } as unknown as Unnamed<Write<DraftOf<Draft>, Result>>;
}
