// Checks the contents of the package. `bun run drill deb` installs one.
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packDeb } from "../../scripts/deb.ts";

const EXTERNAL = /^(?:[a-z]+:|#|\/)/;
/** System programs that the units may start. Every Debian has them (coreutils, dash). */
const OF_THE_SYSTEM = ["/usr/bin/env", "/bin/sh"];

test("contains everything its units start, and every document that its documents link to", async () => {
  if (!Bun.which("dpkg-deb")) return console.log("dpkg-deb is not here: no package was made");
  const folder = mkdtempSync(join(tmpdir(), "guildhall-deb-"));
  try {
    writeFileSync(join(folder, "guildhall"), "no program");
    const options = { arch: "amd64", version: "0.0.1", out: folder };
    const deb = await packDeb(join(folder, "guildhall"), options);
    const root = join(folder, "root");
    expect(Bun.spawnSync(["dpkg-deb", "--extract", deb, root]).exitCode).toBe(0);

    const units = join(root, "usr/lib/systemd/system");
    expect(readdirSync(units).sort()).toEqual([
      "guildhall-follow-engine.service",
      "guildhall-replicate.service",
      "guildhall.service",
    ]);
    const named = readdirSync(units).flatMap((name) => {
      const unit = readFileSync(join(units, name), "utf8");
      const commands = [...unit.matchAll(/^(?:Exec\w+|Documentation)=(.*)$/gm)].map(
        ([, command = ""]) => command,
      );
      return commands.flatMap((command) => command.match(/\/(?:usr|bin)[^\s:]*/g) ?? []);
    });
    expect(named).toContain("/usr/share/guildhall/follow.sh");
    expect(named.filter((path) => !OF_THE_SYSTEM.includes(path) && !existsSync(join(root, path)))).toEqual(
      [],
    );
    expect(statSync(join(root, "usr/share/guildhall/follow.sh")).mode & 0o777).toBe(0o755);

    const completion = join(root, "usr/share/bash-completion/completions/guildhall");
    expect(readFileSync(completion, "utf8")).toContain("complete -o default -F _guildhall guildhall");

    const docs = join(root, "usr/share/doc/guildhall");
    const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".md"),
    );
    expect(pages).toContain("operating.md");
    expect(deadLinks(docs, ["operating.md"])).toEqual([]);
    // In the other documents, a dead link may only lead to files that the package does not contain.
    const read = deadLinks(docs, ["scaling.md", "community.md", "oauth.md"]);
    expect(read.filter((link) => !/\.\.\/(?:bench|src|tests)/.test(link))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function deadLinks(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), "utf8");
    return [...text.matchAll(/\]\(([^)#\s]+)/g)]
      .map(([, link = ""]) => link)
      .filter((link) => !EXTERNAL.test(link) && !existsSync(join(folder, dirname(page), link)))
      .map((link) => `${page}: ${link}`);
  });
}
