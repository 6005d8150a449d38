import { createHash } from "node:crypto";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  visit,
} from "graphql";
import { refuse } from "../core/base/errors.ts";
import { LIMITS, oversize } from "./limits.ts";
import type { GraphRequest, HttpRefusal } from "./request.ts";
import type { GraphRules } from "./rules.ts";

/**
 * Maximum size of the document cache in bytes. The cache is useful because clients repeat a few documents,
 * and parsing a document costs more than running it.
 */
export const CACHE_MAX_BYTES = 16 * 1024 * 1024;
/** Maximum size of one cached document in bytes. A larger document is not cached. */
const ENTRY_MAX_BYTES = CACHE_MAX_BYTES / 16;
/**
 * Estimated memory of a document in bytes, per node of its syntax tree. Measured: a node with its tokens
 * takes 210 to 230 bytes, and the cached cost of the node up to 30 more.
 */
const NODE_BYTES = 260;
const REFUSAL_BYTES = 2_000;
const ERRORS_MAX = 5;
const LINES_MAX = 10_000;

/** Functions that read, parse and validate the documents of requests. */
export interface Documents {
  /**
   * Returns the text of the document in a request. Throws bad_request if the request has no document, or if
   * this server does not accept the document.
   */
  textOf(request: GraphRequest): string;
  /** Parses a document. Throws GraphQLError for a syntax error, and for a document over the size limits. */
  parse(text: string): DocumentNode;
  /** Returns the validation errors. The list is empty for a valid document. */
  validate(document: DocumentNode): readonly GraphQLError[];
}

interface CachedDocument {
  read: DocumentNode | GraphQLError;
  bytes: number;
  /** Hash that a client registered for the document. `undefined` if no client registered a hash. */
  hash: string | undefined;
}

/**
 * Creates a cache that parses and validates each document once. The least recently used documents are evicted
 * first.
 */
export function createDocuments(schema: GraphQLSchema, rules: GraphRules): Documents {
  const cache = new Map<string, CachedDocument>();
  /** Document texts by the hashes that clients have registered (automatic persisted queries). */
  const registered = new Map<string, string>();
  const checked = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  let keptBytes = 0;
  const validation = rules.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];

  function parseAndValidate(text: string): CachedDocument {
    const known = cache.get(text);
    if (known) {
      cache.delete(text);
      cache.set(text, known);
      return known;
    }
    const read = readDocument(text);
    const entry: CachedDocument = { read, bytes: weightOf(text, read), hash: undefined };
    if (entry.bytes > ENTRY_MAX_BYTES) return entry;
    cache.set(text, entry);
    keptBytes += entry.bytes;
    for (const [oldest, { bytes, hash }] of cache) {
      if (keptBytes <= CACHE_MAX_BYTES) break;
      cache.delete(oldest);
      if (hash !== undefined) registered.delete(hash);
      keptBytes -= bytes;
    }
    return entry;
  }

  /** Registers the text under its hash until the document is evicted. */
  function register(hash: string, text: string): void {
    const entry = parseAndValidate(text);
    if (entry.read instanceof GraphQLError || !cache.has(text)) return;
    entry.hash = hash;
    registered.set(hash, text);
  }

  /**
   * Returns the text of a persisted query for its hash. As in Apollo Client, a client first sends the text
   * together with the hash, to register the text. Later the client sends only the hash.
   */
  function persistedText(hash: string, query: string | null | undefined): string {
    if (query == null) {
      const text = registered.get(hash);
      if (text === undefined)
        throw persistedRefusal(
          rules.documentsOnly ? "persisted_query_not_supported" : "persisted_query_not_found",
        );
      return text;
    }
    if (rules.documentsOnly) return trustedText(query);
    if (sha256(query) !== hash) throw refuse("document_mismatch");
    register(hash, query);
    return query;
  }

  function trustedText(query: string): string {
    if (rules.documentsOnly && rules.documents.get(sha256(query)) === undefined)
      throw refuse("document_untrusted");
    return query;
  }

  return {
    textOf(request) {
      const { query, documentId } = request;
      const persisted = persistedHashOf(request);
      const hash = documentId?.replace(/^sha256:/, "") ?? persisted;
      const trusted = hash === undefined ? undefined : rules.documents.get(hash);
      if (trusted !== undefined) {
        if (query != null && query !== trusted) throw refuse("document_mismatch");
        return trusted;
      }
      if (documentId != null) throw refuse("document_unknown");
      if (persisted !== undefined) return persistedText(persisted, query);
      if (query == null || query === "") throw refuse("document_missing");
      return trustedText(query);
    },
    parse(text) {
      const { read } = parseAndValidate(text);
      if (read instanceof GraphQLError) throw read;
      return read;
    },
    validate(document) {
      let errors = checked.get(document);
      if (errors === undefined) {
        errors = validate(schema, document, validation, {
          maxErrors: ERRORS_MAX,
          hideSuggestions: !rules.introspection,
        }).slice(0, ERRORS_MAX);
        if (errors.length > 0 && !rules.introspection) errors = [withoutSchemaNames(errors)];
        checked.set(document, errors);
      }
      return errors;
    },
  };
}

function readDocument(text: string): DocumentNode | GraphQLError {
  try {
    const document = parse(text, { maxTokens: LIMITS.tokens, noLocation: hasManyLines(text) });
    return oversize(document) ?? document;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/**
 * Whether a text has so many lines that errors must omit their locations. For each location, graphql-js
 * counts the lines of the text. Counting 120,000 lines takes 10 ms.
 */
function hasManyLines(text: string): boolean {
  let lines = 0;
  if (text.length > LINES_MAX)
    for (let i = 0; i < text.length; i++)
      if (text.charCodeAt(i) === 0x0a || text.charCodeAt(i) === 0x0d) lines++;
  return lines > LINES_MAX;
}

/** Returns the size of a cache entry in bytes of memory. */
function weightOf(text: string, read: DocumentNode | GraphQLError): number {
  if (read instanceof GraphQLError) return 2 * text.length + REFUSAL_BYTES;
  let nodes = 0;
  visit(read, { enter: () => void nodes++ });
  return 2 * text.length + nodes * NODE_BYTES;
}

/** Merges errors into one error that does not reveal the schema. */
export function withoutSchemaNames(errors: readonly GraphQLError[]): GraphQLError {
  return new GraphQLError(
    "The document or its variables do not match the schema. This server hides the details.",
    { nodes: errors[0]?.nodes ?? null },
  );
}

/** Returns the hash in the `persistedQuery` extension of Apollo's clients. */
function persistedHashOf({ extensions }: GraphRequest): string | undefined {
  const persisted = extensions?.["persistedQuery"];
  if (typeof persisted !== "object" || persisted === null || !("sha256Hash" in persisted)) return undefined;
  return String(persisted.sha256Hash);
}

/** A refusal with the code that the persisted query protocol defines. */
function persistedRefusal(code: "persisted_query_not_found" | "persisted_query_not_supported"): HttpRefusal {
  return Object.assign(refuse(code), { ofGraph: code.toUpperCase() });
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
