import { ERROR_CODES, type ErrorCode } from "../src/rest/docs/errors.tsx";
import { STATUS_OF } from "../src/http/answer.ts";
import { MEANINGS } from "../src/core/base/refusals/remedies.ts";
import type { ErrorName } from "../src/core/base/refusals/refusals.ts";

export const REFUSALS_PAGE = new URL("../docs/errors.md", import.meta.url);

const HEAD = `# Error codes

Every error of the APIs has a code. This page lists each code with its message. Where the message does not say what to do, the next
step follows it. A running server shows the same list at \`/docs/errors\`, with an anchor for each code. [api.md](api.md#errors)
describes the body of an error.

A code never changes its meaning. New codes may be added.

- \`{max}\` is a parameter. \`{seconds:second}\` is a number with its unit.
- A message that begins with … follows the name of a field and gives the rule for it.
- The field that an error is about is in parentheses after the code.

This page is generated from \`src/core/base/refusals\` by \`bun run generate\`.`;

/**
 * Returns docs/errors.md: every code with its message, and the next step if the message does not name one.
 */
export function refusalsPage(): string {
  const names = Object.entries(STATUS_OF) as [ErrorName, number][];
  const sections = names.flatMap(([name, status]) => {
    const lines = ERROR_CODES.filter(({ error }) => error === name).map(lineOf);
    return lines.length === 0 ? [] : [`## ${status} \`${name}\``, MEANINGS[name], lines.join("\n")];
  });
  return `${[HEAD, ...sections].join("\n\n")}\n`;
}

function lineOf({ code, message, path, remedy }: ErrorCode): string {
  const field = path === undefined ? "" : ` (\`${path}\`)`;
  if (remedy === undefined) return `- \`${code}\`${field}: ${message}`;
  // Messages of Apollo's protocol are names, not sentences. The message of a field has no full stop.
  const isName = /^\w+$/.test(message);
  const sentence = isName ? `\`${message}\`.` : message.endsWith(".") ? message : `${message}.`;
  return `- \`${code}\`${field}: ${sentence} ${remedy}`;
}
