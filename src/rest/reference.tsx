import { html } from "../http/answer.ts";
import type { Door } from "../http/preflight.ts";
import { OPERATIONS } from "./app.ts";
import { openApiDocument } from "./openapi.ts";

/** The reference for people at /docs: made once at start from the document that programs read. */
export function referenceDoor(origin: string, version: string): Door {
  const page = renderReference(openApiDocument(OPERATIONS, origin, version));
  return { prefix: "/docs", isCounted: true, handle: (visit) => html(visit, 200, page) };
}

function renderReference(document: Record<string, unknown>): string {
  return `<!doctype html>${(<pre safe>{JSON.stringify(document, null, 2)}</pre>) as string}`;
}
