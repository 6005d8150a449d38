/** The URL path of each served file of the docs folder. */
export const SERVED_DOCS = {
  "api.md": "/docs",
  "graphql.md": "/docs/graphql",
  "oauth.md": "/docs/oauth",
  "errors.md": "/docs/errors",
} as const;
const SAMPLES = "/docs/samples";
export type DocsPath = (typeof SERVED_DOCS)[keyof typeof SERVED_DOCS] | typeof SAMPLES;

/**
 * Rewrites Markdown links to files of the docs folder to their pages at `origin`. Links to files that are not
 * served become plain text.
 */
export function linkServedDocs(text: string, origin = ""): string {
  return text.replaceAll(
    /\[([^\]]*)\]\((?!https?:|#|\/)([\w./-]+)(#[\w.-]+)?\)/g,
    (_, label: string, file: string, hash = "") => {
      const address = addressOf(file, hash);
      return address === undefined ? label : `[${label}](${origin}${address})`;
    },
  );
}

function addressOf(file: string, hash: string): string | undefined {
  const sample = /(?:^|\/)samples\/([\w-]+)/.exec(file)?.[1];
  if (sample !== undefined) return `${SAMPLES}#${sample}`;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name in SERVED_DOCS ? SERVED_DOCS[name as keyof typeof SERVED_DOCS] + hash : undefined;
}
