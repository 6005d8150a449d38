/** The path that shows a file of the folder docs, by the file's name. */
export const SERVED_DOCS = {
  "api.md": "/docs",
  "graphql.md": "/docs/graphql",
  "oauth.md": "/docs/oauth",
  "errors.md": "/docs/errors",
} as const;
const SAMPLES = "/docs/samples";
export type DocsPath = (typeof SERVED_DOCS)[keyof typeof SERVED_DOCS] | typeof SAMPLES;

/**
 * Markdown whose links to files of the folder docs lead to the pages that show them, at `origin`. Links to
 * files that are not served become plain text.
 */
export function linkServedDocs(text: string, origin = ""): string {
  return text.replaceAll(
    /\[([^\]]*)\]\((?!https?:|#|\/)([\w./-]+)(#[\w.-]+)?\)/g,
    (_, words: string, file: string, hash = "") => {
      const address = addressOf(file, hash);
      return address === undefined ? words : `[${words}](${origin}${address})`;
    },
  );
}

function addressOf(file: string, hash: string): string | undefined {
  const sample = /(?:^|\/)samples\/([\w-]+)/.exec(file)?.[1];
  if (sample !== undefined) return `${SAMPLES}#${sample}`;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name in SERVED_DOCS ? SERVED_DOCS[name as keyof typeof SERVED_DOCS] + hash : undefined;
}
