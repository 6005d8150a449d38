import { type Refusal, REFUSALS } from "../src/core/ground/refusals/refusals.ts";
import { FAULTS } from "../src/core/ground/refusals/faults.ts";
import { STATUS_OF } from "../src/http/answer.ts";

export const REFUSALS_PAGE = new URL("../docs/errors.md", import.meta.url);

/** docs/errors.md: every code with its sentence, made from the catalogue. */
export function refusalsPage(): string {
  const names = Object.entries(STATUS_OF);
  const ours = Object.entries<Refusal>(REFUSALS);
  const sections = names.flatMap(([name, status]) => {
    const lines = ours
      .filter(([, { error }]) => error === name)
      .map(([code, { says, path }]) => {
        const field = path === undefined ? "" : ` (\`${path}\`)`;
        return `- \`${code}\`${field}: ${cell(says)}`;
      });
    return lines.length === 0 ? [] : [`## ${status} \`${name}\``, lines.join("\n")];
  });
  const rules = Object.entries(FAULTS).map(([code, says]) => `- \`${code}\`: … ${cell(says)}`);
  return `${[
    "# Every refusal",
    "Made from the catalogue in `src/core/ground/refusals` by `bun run generate`; [api.md](api.md#errors) explains the form. A code is as stable as\nthe rest of the API: it keeps its meaning, and new ones may come. `{max}` is a parameter; `{seconds:second}` is one with its noun. In brackets\nstands the field that a refusal is about.",
    "## 400 `bad_request`: a field that breaks its rule",
    "The sentence follows the name of the field. `code` and `params` beside `error` are those of the first of `details`.",
    rules.join("\n"),
    ...sections,
  ].join("\n\n")}\n`;
}

function cell(text: string): string {
  return text.replaceAll("<", "\\<");
}
