import { ERROR_CODES, type ErrorCode } from "../src/rest/docs/errors.tsx";
import { STATUS_OF } from "../src/http/answer.ts";
import { hasOwnRemedy, REMEDIES } from "../src/core/base/refusals/remedies.ts";
import type { ErrorName } from "../src/core/base/refusals/refusals.ts";

export const REFUSALS_PAGE = new URL("../docs/errors.md", import.meta.url);

const HEAD = `# Error codes

Every error of the APIs has a code. This page lists each code with its message and, where it helps, the next step. The step below a
heading applies to all codes of the section that have no step of their own. A running server shows the same list at \`/docs/errors\`,
with an anchor for each code. [api.md](api.md#errors) describes the body of an error.

A code never changes its meaning. New codes may be added.

- \`{max}\` is a parameter. \`{seconds:second}\` is a number with its unit.
- A message that begins with … follows the name of a field.
- The field that an error is about is in parentheses after the code.

This page is generated from \`src/core/base/refusals\` by \`bun run generate\`.`;

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
  if (!hasOwnRemedy(code)) return `- \`${code}\`${field}: ${message}`;
  // The messages of Apollo's protocol are names, not sentences.
  const sentence = message.endsWith(".") ? message : `\`${message}\`.`;
  return `- \`${code}\`${field}: ${sentence} ${remedy}`;
}
