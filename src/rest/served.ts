/** The path that shows a file of the folder docs, by the file's name. */
export const SERVED_DOCS = {
  "api.md": "/docs",
  "graphql.md": "/docs/graphql",
  "oauth.md": "/docs/oauth",
  "errors.md": "/docs/errors",
} as const;
export type DocsPath = (typeof SERVED_DOCS)[keyof typeof SERVED_DOCS];

/**
 * Markdown whose links to files of the folder docs lead to the pages that show them, at `origin`. Links to files
 * that are not served become plain text.
 */
export function withServedLinks(text: string, origin = ""): string {
  return text.replaceAll(
    /\[([^\]]*)\]\((?!https?:|#|\/)([\w./-]+)(#[\w.-]+)?\)/g,
    (_, words: string, file: string, hash = "") => {
      const path = SERVED_DOCS[file.slice(file.lastIndexOf("/") + 1) as keyof typeof SERVED_DOCS] as
        DocsPath | undefined;
      return path === undefined ? words : `[${words}](${origin}${path}${hash})`;
    },
  );
}
