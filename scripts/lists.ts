/**
 * Writes the lists of the files in a folder: migrations, operations, GraphQL types, pages. `bun run generate`
 * runs this first, because the other generated files depend on the lists.
 */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const FROM = (folder: string) => `// Written by \`bun run generate\` from the files of ${folder}.\n`;

/** Functions that write a list, by the path of the list. */
export const LISTS: Readonly<Record<string, () => string>> = {
  "src/core/base/db/migrations.ts": migrations,
  "src/operations/index.ts": operations,
  "src/graphql/schema/types.ts": types,
  "src/web/pages/index.ts": pages,
};

function within(folder: string, pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(join(ROOT, folder))].sort();
}

/** Returns the exports of a folder's files whose names match `form`, each with its file. */
function exported(
  folder: string,
  pattern: string,
  form: RegExp,
): { name: string; file: string; text: string }[] {
  return within(folder, pattern).flatMap((file) => {
    const text = readFileSync(join(ROOT, folder, file), "utf8");
    return [...text.matchAll(form)].map(([, name = ""]) => ({ name, file, text }));
  });
}

const imports = (found: readonly { name: string; file: string }[]): string =>
  found.map(({ name, file }) => `import { ${name} } from "./${file}";`).join("\n");
const spread = (names: readonly string[]): string => names.map((name) => `  ...${name},`).join("\n");

function migrations(): string {
  const names = within("src/core/base/db/migrations", "*.sql").map((file) => basename(file, ".sql"));
  const variable = (name: string) => `m${name.slice(0, 4)}`;
  return `${FROM("migrations/")}// Never edit a released migration. Add a new one.
${names.map((name) => `import ${variable(name)} from "./migrations/${name}.sql" with { type: "text" };`).join("\n")}

/** Migrations in the order of their application. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
${names.map((name) => `  { name: "${name}", sql: ${variable(name)} },`).join("\n")}
];
`;
}

/** Lists the operations in the order of the guide's sections, which have the names of the groups. */
function operations(): string {
  const guide = readFileSync(join(ROOT, "src/rest/guide.md"), "utf8");
  const parts = [...guide.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
  const rankOf = ({ text }: { text: string }): number => {
    const at = parts.indexOf(/\barea\("([^"]+)"/.exec(text)?.[1]);
    return at === -1 ? parts.length : at;
  };
  const found = exported("src/operations", "*.ts", /^export const (\w+Operations) = /gm).sort(
    (a, b) => rankOf(a) - rankOf(b),
  );
  return `${FROM("this folder")}import type { Operation } from "./operation.ts";
${imports(found)}

/** The whole product, operation by operation, in the order of the guide's parts. */
export const OPERATIONS: readonly Operation[] = [
${found.map(({ name }) => `  ${name},`).join("\n")}
].flatMap((area) => Object.values<Operation>(area));
`;
}

function types(): string {
  const files = within("src/graphql/schema", "*.ts").filter(
    (file) => !["index.ts", "types.ts"].includes(file),
  );
  return `${FROM("this folder")}${files.map((file) => `import "./${file}";`).join("\n")}\n`;
}

function pages(): string {
  const listed = exported("src/web/pages", "*/*.tsx", /^export const (\w+Pages) = /gm);
  const asking = exported("src/web/pages", "*/*.tsx", /^export function (\w+Pages)\(/gm);
  return `${FROM("the folders beside it")}import type { Interactions } from "../../core/delegation/grants/interaction.ts";
import type { PageRoute } from "../request/route.ts";
${imports([...listed, ...asking])}

/** Those that need nothing but the core. */
export const PAGES: readonly PageRoute[] = [
${spread(listed.map(({ name }) => name))}
];

/** Every page of the site. Apps that ask for something are behind \`interactions\`. */
export function pagesOf(interactions: Interactions): readonly PageRoute[] {
  return [
...PAGES,
${spread(asking.map(({ name }) => `${name}(interactions)`))}
];
}
`;
}

if (import.meta.main) {
  const written = Object.keys(LISTS).map((path) => join(ROOT, path));
  for (const [path, list] of Object.entries(LISTS)) await Bun.write(join(ROOT, path), list());
  Bun.spawnSync([process.execPath, "fmt", "--no-script", ...written], { cwd: ROOT });
}
