import { ERROR_CODES, type ErrorCode } from "../src/rest/docs/errors.tsx";
import { STATUS_OF } from "../src/http/answer.ts";
import { hasOwnRemedy, REMEDIES } from "../src/core/base/refusals/remedies.ts";
import type { ErrorName } from "../src/core/base/refusals/refusals.ts";

export const REFUSALS_PAGE = new URL("../docs/errors.md", import.meta.url);

const HEAD = `# Error codes

Made from the catalogue in \`src/core/base/refusals\` by \`bun run generate\`. A running server shows the same at \`/docs/errors\`, with an anchor for
each code. [api.md](api.md#errors) explains the body of an error. A code keeps its meaning, and new ones may come. \`{max}\` is a parameter;
\`{seconds:second}\` is one with its noun. A message that begins with … follows the name of a field. The field at fault is in brackets.`;

/** docs/errors.md: every code with its message, and what to do where that differs from its section. */
export function refusalsPage(): string {
  const names = Object.entries(STATUS_OF) as [ErrorName, number][];
  const sections = names.flatMap(([name, status]) => {
    const lines = ERROR_CODES.filter(({ error }) => error === name).map(lineOf);
    return lines.length === 0 ? [] : [`## ${status} \`${name}\``, REMEDIES[name], lines.join("\n")];
  });
  return `${[HEAD, ...sections].join("\n\n")}\n`;
}

function lineOf({ code, message, path, remedy }: ErrorCode): string {
  const field = path === undefined ? "" : ` (\`${path}\`)`;
  const next = hasOwnRemedy(code) ? ` ${remedy}` : "";
  return `- \`${code}\`${field}: ${`${message}${next}`.replaceAll("<", "\\<")}`;
}
