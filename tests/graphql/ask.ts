import type { TestServer } from "../support.ts";

export interface GraphAnswer {
  status: number;
  headers: Headers;
  body: {
    data?: any;
    errors?: {
      message: string;
      path?: unknown[];
      locations?: { line: number; column: number }[];
      extensions: { code: string; reason?: string; params?: unknown; requestId: string; details?: unknown };
    }[];
  };
  text: string;
}

export interface GraphInit {
  variables?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Replaces the document and the variables. */
  body?: string;
  method?: string;
  query?: string;
}

/** Sends one request to the GraphQL endpoint with this token. */
export async function graph(
  server: TestServer,
  token: string | undefined,
  document: string,
  { variables, headers = {}, body, method = "POST", query = "" }: GraphInit = {},
): Promise<GraphAnswer> {
  const response = await fetch(`${server.url}/graphql${query}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === "POST" ? { "content-type": "application/json" } : {}),
      ...headers,
    },
    ...(method === "POST" ? { body: body ?? JSON.stringify({ query: document, variables }) } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text.startsWith("{") ? JSON.parse(text) : {},
    text,
  };
}

export function codes({ body }: GraphAnswer): string[] {
  return (body.errors ?? []).map(({ extensions }) => extensions.code);
}
