import { Glob } from "bun";
import { dirname, join, normalize } from "node:path";

const ROOT = join(import.meta.dir, "..");
const files = await Array.fromAsync(new Glob("src/core/**/*.ts").scan({ cwd: ROOT }));
const texts = new Map(
  await Promise.all(files.map(async (file) => [file, await Bun.file(join(ROOT, file)).text()] as const)),
);

interface CoreFunction {
  name: string;
  isExported: boolean;
  /** Functions of the core that this function calls, as `file name`. */
  calls: Set<string>;
}

const functions = new Map<string, CoreFunction>();
for (const [file, text] of texts) {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  const parts = code.split(/\n(?=\w)/);
  const heads = parts.map((part) => /^(export )?(?:async )?function (\w+)/.exec(part));
  const known = new Map(heads.flatMap((head) => (head?.[2] ? [[head[2], `${file} ${head[2]}`]] : [])));
  for (const [, names = "", from = ""] of code.matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)) {
    for (const each of names.split(",")) {
      const [name = "", as = name] = each
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      if (name) known.set(as, `${normalize(join(dirname(file), from))} ${name}`);
    }
  }
  parts.forEach((part, i) => {
    const head = heads[i];
    if (!head?.[2]) return;
    const body = part.slice(head[0].length);
    const words = new Set(body.match(/\b\w+\b/g));
    const calls = new Set([...known].flatMap(([name, key]) => (words.has(name) ? [key] : [])));
    functions.set(`${file} ${head[2]}`, { name: head[2], isExported: head[1] !== undefined, calls });
  });
}

/**
 * Exported functions of the core that call one of these functions, directly or indirectly, as `file name`.
 * Throws if a function does not exist.
 */
export function functionsThatCall(...targets: readonly string[]): string[] {
  const reached = new Set(
    [...functions].filter(([, { name }]) => targets.includes(name)).map(([key]) => key),
  );
  if (reached.size < targets.length) throw new Error(`not all of ${targets.join(", ")} are there`);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const [key, { calls }] of functions)
      if ([...calls].some((call) => reached.has(call))) reached.add(key);
  }
  return [...reached].filter((key) => functions.get(key)?.isExported).sort();
}
