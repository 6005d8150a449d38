import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printedSchema } from "../../src/graphql/schema/index.ts";

export interface Compiled {
  code: number;
  output: string;
  folder: string;
  /** Returns the compiled artifact of an operation or fragment. */
  artifact(name: string): Promise<any>;
  [Symbol.dispose](): void;
}

/** Runs Relay's compiler over the documents of each module, by module name. */
export async function compileRelay(modules: Readonly<Record<string, readonly string[]>>): Promise<Compiled> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-relay-"));
  await Bun.write(join(folder, "schema.graphql"), printedSchema());
  for (const [name, documents] of Object.entries(modules))
    await Bun.write(
      join(folder, `src/${name}.ts`),
      `import { graphql } from "relay-runtime";\n${documents.map((text, i) => `export const d${i} = graphql\`${text}\`;`).join("\n")}`,
    );
  await Bun.write(
    join(folder, "relay.config.json"),
    JSON.stringify({
      src: "./src",
      schema: "./schema.graphql",
      language: "typescript",
      eagerEsModules: true,
      customScalarTypes: { DateTime: "string", JSON: "unknown" },
    }),
  );
  const compiler = Bun.spawn(
    [join(import.meta.dir, "../../node_modules/.bin/relay-compiler"), "relay.config.json"],
    { cwd: folder, stdout: "pipe", stderr: "pipe" },
  );
  const [told, failed] = await Promise.all([
    new Response(compiler.stdout).text(),
    new Response(compiler.stderr).text(),
  ]);
  return {
    code: await compiler.exited,
    output: told + failed,
    folder,
    artifact: async (name) => (await import(join(folder, `src/__generated__/${name}.graphql.ts`))).default,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
