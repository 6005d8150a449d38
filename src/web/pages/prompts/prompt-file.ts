import type { Prompt } from "../../../core/community/prompts/prompts.ts";
import type { PromptVersion } from "../../../core/community/prompts/versions.ts";
import { slugOf } from "../../../core/ground/slugs.ts";

/*
 * A prompt as a file that people keep and pass on: Markdown with what it is for in front (`---`, YAML). What stands behind
 * each name is JSON, which is YAML too.
 */

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

/** What it is called: by letters that every system takes. */
export function fileNameOf({ title, version }: PromptVersion): string {
  return `${slugOf(title) || "prompt"}-v${version}.md`;
}
