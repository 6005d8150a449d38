import { OPERATIONS } from "../src/operations/index.ts";
import { OPEN } from "../src/operations/open.ts";
import { SERVED_DOCS } from "../src/rest/served.ts";
import { openApiDocument } from "../src/rest/openapi.ts";

export const API_PAGE = new URL("../docs/api.md", import.meta.url);

const HEAD = `# The v1 API

\`bun run generate\` makes this page from the OpenAPI document and the guide in \`src/rest/guide.md\`. Every Guildhall server has the reference with all
parameters and examples at \`/docs\`, and the document at \`/v1/openapi.json\`.`;

const LIST = `## All operations

This table lists the operations of v1 with the scope that each needs. \`GET /openapi.json\` needs no scope. \`docs/oauth.md\` lists the
operations of OAuth.

| Operation | Scope | Does |
| --------- | ----- | ---- |`;

interface Described {
  info: { description: string };
  tags: { name: string; description: string }[];
}

/** Returns docs/api.md: the guide, then a list of all operations. */
export function apiPage(): string {
  const { info, tags } = openApiDocument(OPERATIONS, "https://guild.example", "") as unknown as Described;
  const groups = tags.map(({ name, description }) => `## ${name}\n\n${description}`);
  const rows = OPERATIONS.map(
    ({ route, scope, orScopes = [], summary }) =>
      `| \`${route}\` | ${[scope, ...orScopes].map((item) => `\`${item}\``).join(" or ")} | ${summary} |`,
  );
  const open = OPEN.map(({ route, summary }) => `| \`${route}\` | none | ${summary} |`);
  const page = [HEAD, info.description.trim(), ...groups, [LIST, ...rows, ...open].join("\n")].join("\n\n");
  const files = Object.entries(SERVED_DOCS).map(([file, path]) => [path, file] as const);
  const linked = files.reduce(
    (text, [path, file]) =>
      text.replaceAll(new RegExp(`\\(https://guild\\.example${path}(?=[#)])`, "g"), `(${file}`),
    page,
  );
  const sampled = linked.replaceAll(/\(https:\/\/guild\.example\/docs\/samples#([\w-]+)\)/g, "(samples/$1/)");
  return `${sampled.replaceAll(/`docs\/([\w-]+\.md)`/g, "[$1]($1)")}\n`;
}
