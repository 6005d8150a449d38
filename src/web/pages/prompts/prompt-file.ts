import type { Prompt } from "../../../core/community/prompts/prompts.ts";
import type { PromptVersion } from "../../../core/community/prompts/versions.ts";
import { slugOf } from "../../../core/base/slugs.ts";

/*
 * A prompt as a file that people keep and pass on: Markdown with what it is for in front (`---`, YAML). What
 * is written is JSON behind each name, which is YAML too; what is read is that, or a plain word or sentence,
 * and nothing else of YAML, so that no file does more than say four things.
 */

/** The fields of a prompt in a file; missing ones are undefined. */
interface PromptFile {
  title?: string | undefined;
  model?: string | undefined;
  category?: string | undefined;
  body: string;
}

/** One version of a prompt as the text of its file. */
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

/** The file name, in characters that every system accepts. */
export function fileNameOf({ title, version }: PromptVersion): string {
  return `${slugOf(title) || "prompt"}-v${version}.md`;
}

const FRONT = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** The other way round. A file without anything in front is its text alone. */
export function readFile(text: string): PromptFile {
  const [whole = "", front = ""] = FRONT.exec(text) ?? [];
  const said = new Map(
    front.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^(title|model|category):[ \t]*(\S.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, wordsOf(value.trim())]];
    }),
  );
  const body = text
    .slice(whole.length)
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trim();
  return { title: said.get("title"), model: said.get("model"), category: said.get("category"), body };
}

function wordsOf(value: string): string {
  if (value.startsWith("'") && value.endsWith("'") && value.length > 1)
    return value.slice(1, -1).replaceAll("''", "'");
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}
