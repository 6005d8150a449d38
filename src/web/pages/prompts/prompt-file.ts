import type { Prompt } from "../../../core/community/prompts/prompts.ts";
import type { PromptVersion } from "../../../core/community/prompts/versions.ts";
import { slugOf } from "../../../core/base/slugs.ts";

/*
 * A prompt as a Markdown file with YAML front matter (`---`). Values are written as JSON, which is valid
 * YAML. Only JSON strings and one-line texts are read, and only for three fields. So a file cannot use other
 * YAML features.
 */

/** The fields of a prompt in a file; missing ones are undefined. */
interface PromptFile {
  title?: string | undefined;
  model?: string | undefined;
  category?: string | undefined;
  body: string;
}

/** Returns a version of a prompt as the text of a file. */
export function fileOf(prompt: Prompt, version: PromptVersion, url: string): string {
  const said = {
    title: version.title,
    model: version.model,
    category: prompt.category,
    author: prompt.author.username,
    version: version.version,
    url,
  };
  const lines = Object.entries(said).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join("\n")}\n---\n\n${version.body}${version.body.endsWith("\n") ? "" : "\n"}`;
}

/** Returns a file name with characters that every system accepts. */
export function fileNameOf({ title, version }: PromptVersion): string {
  return `${slugOf(title) || "prompt"}-v${version}.md`;
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Parses a prompt file. In a file without front matter, everything is the text of the prompt. */
export function readFile(text: string): PromptFile {
  const [whole = "", front = ""] = FRONT.exec(text) ?? [];
  const said = new Map(
    front.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(title|model|category):[ \t]*(\S.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, unquoted(value.trim())]];
    }),
  );
  const body = text
    .slice(whole.length)
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trim();
  return { title: said.get("title"), model: said.get("model"), category: said.get("category"), body };
}

function unquoted(value: string): string {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1)
    return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
