import { createHash } from "node:crypto";
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import { badRequest } from "../core/errors.ts";
import { LIMITS, oversize } from "./limits.ts";
import type { GraphRequest } from "./request.ts";
import type { GraphRules } from "./rules.ts";

/** Documents by their text: clients send the same few again and again, and reading one costs more than running it. */
const KEPT = 1_000;
const KEPT_LENGTH_MAX = 8 * 1024;
const ERRORS_MAX = 5;

/** What Yoga reads and validates documents with. */
export interface Documents {
  /** Throws GraphQLError for what is no document, and for one that is too large to be looked at any closer. */
  parse(text: string): DocumentNode;
  /** What does not fit the schema; empty for a document that may be run. */
  validate(document: DocumentNode): readonly GraphQLError[];
}

/** Parses and validates each document once, as long as it is kept. */
export function createDocuments(schema: GraphQLSchema, rules: GraphRules): Documents {
  const kept = new Map<string, DocumentNode | GraphQLError>();
  const checked = new WeakMap<DocumentNode, readonly GraphQLError[]>();
  const validation = rules.introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule];

  function keep(text: string, read: DocumentNode | GraphQLError): void {
    if (text.length > KEPT_LENGTH_MAX) return;
    const [oldest] = kept.keys();
    if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(text, read);
  }

  return {
    parse(text) {
      let read = kept.get(text);
      if (read === undefined) {
        read = readDocument(text);
        keep(text, read);
      }
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
        if (errors.length > 0 && !rules.introspection) errors = [untold(errors)];
        checked.set(document, errors);
      }
      return errors;
    },
  };
}

function readDocument(text: string): DocumentNode | GraphQLError {
  try {
    const document = parse(text, { maxTokens: LIMITS.tokens });
    return oversize(document) ?? document;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** What is wrong, without a word of what there is. */
export function untold(errors: readonly GraphQLError[]): GraphQLError {
  return new GraphQLError(
    "The document or its variables do not fit the schema, which this server does not tell.",
    { nodes: errors[0]?.nodes ?? null },
  );
}

/** The document of a request. Throws bad_request where there is none, and for one that is not to be run here. */
export function documentText(request: GraphRequest, { documents, documentsOnly }: GraphRules): string {
  const { query } = request;
  const hash = hashOf(request);
  if (hash !== undefined) {
    const trusted = documents.get(hash);
    if (trusted === undefined)
      throw badRequest("There is no document of that hash here; send its text as `query`.");
    if (query != null && query !== trusted)
      throw badRequest("`query` is another document than its hash says.");
    return trusted;
  }
  if (query == null || query === "") throw badRequest("`query` is missing: the GraphQL document as text.");
  if (documentsOnly && documents.get(sha256(query)) === undefined)
    throw badRequest("This server runs only documents that it knows; ask its operator to add yours.");
  return query;
}

/** As the appendix «Persisted documents» of GraphQL over HTTP says it, or as Apollo's clients do. */
function hashOf({ documentId, extensions }: GraphRequest): string | undefined {
  if (documentId != null) return documentId.replace(/^sha256:/, "");
  const persisted = extensions?.["persistedQuery"];
  if (typeof persisted !== "object" || persisted === null || !("sha256Hash" in persisted)) return undefined;
  return String(persisted.sha256Hash);
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
