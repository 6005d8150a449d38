// docs/contract.md#12.13.1: a wrong value is exit code 2 for every command; a failure is exit code 1.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { programOf } from "../src/cli/program.ts";
import { command } from "./command.ts";
import { createTestWorld, createMember } from "./support.ts";

/**
 * Invalid values of each argument and option. `FILE` is a file that contains "wrong". `=x` is the word x,
 * which may be empty.
 */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  "serve --host": ["--host=a/b", "--host="],
  "serve --port": ["--port x", "--port 65536"],
  "serve --follow": ["--follow nonsense", "--follow ftp://a.example"],
  "setup --name": ["--yes --name=", "--yes --name=" + "x".repeat(60)],
  "setup --origin": ["--yes --origin nonsense"],
  "setup --tls": ["--yes --origin https://a.example --tls nobody"],
  "setup --email": ["--yes --origin https://a.example --tls acme --email nonsense"],
  "setup --certificate": ["--yes --origin https://a.example --tls files --certificate FILE"],
  "setup --key": ["--yes --origin https://a.example --tls files --certificate FILE --key FILE"],
  "health --url": ["--url nonsense"],
  "demo --builders": ["--builders 0"],
  "demo --posts": ["--posts -1"],
  "demo --jobs": ["--jobs many"],
  "demo --prompts": ["--prompts 1.5"],
  "demo --seed": ["--seed 4294967296"],
  "community set --name": ["--name=", "--name=" + "x".repeat(60)],
  "community set --line": ["--line=" + "x".repeat(2000)],
  "community set --welcome": ["--welcome=" + "x".repeat(30_000)],
  "community set --rules": ["--rules=" + "x".repeat(30_000)],
  "community set --contact": ["--contact nonsense"],
  "community set --language": ["--language fr"],
  "community set --zone": ["--zone Mars/Olympus"],
  "community set --front": ["--front jobs"],
  "community set --reading": ["--reading nobody"],
  "community set --joining": ["--joining sometimes"],
  "community set --newcomer-days": ["--newcomer-days x", "--newcomer-days 91", "--newcomer-days 1.5"],
  "community set --accent": ["--accent red"],
  "community set --privacy": ["--privacy=" + "x".repeat(120_000)],
  "community set --terms": ["--terms=" + "x".repeat(120_000)],
  "community set --imprint": ["--imprint=" + "x".repeat(120_000)],
  "community set --links": ["--links=nonsense"],
  "community set --hold-newcomer-links": ["--hold-newcomer-links maybe"],
  "community set --reports-to-hide": ["--reports-to-hide x", "--reports-to-hide -1"],
  "community set --held-words": ["--held-words=" + "x".repeat(50_000)],
  "community set --held-link-hosts": ["--held-link-hosts=" + "x".repeat(50_000)],
  "community set --equal-texts": ["--equal-texts x", "--equal-texts -1"],
  "community set --network-sign-ups": ["--network-sign-ups x", "--network-sign-ups -1"],
  "community set --hourly-sign-ups": ["--hourly-sign-ups x", "--hourly-sign-ups -1"],
  "community set --unset": ["--unset nothing"],
  "builder create username": ["a_b_", "=admin"],
  "builder create --name": ["bob --name=", "bob --name=www.example.com/a"],
  "builder create --role": ["bob --role king"],
  "builder invite --mail": ["--mail nonsense"],
  "builder invite --label": ["--label=" + "x".repeat(500)],
  "builder invite --uses": ["--uses 0", "--uses 1001", "--uses many"],
  "builder list --new-since": ["--new-since soon"],
  "builder invite --expires": ["--expires 90m", "--expires soon"],
  "builder role role": ["ada king"],
  "builder warn --reason": ["ada --reason=" + "x".repeat(600)],
  "builder warn --rule": ["ada --reason=a --rule=" + "x".repeat(300)],
  "builder limit --reason": ["ada --reason=" + "x".repeat(600)],
  "builder limit --rule": ["ada --reason=a --rule=" + "x".repeat(300)],
  "builder limit --until": ["ada --reason=a --until soon"],
  "builder unlimit --reason": ["ada --reason=" + "x".repeat(600)],
  "builder unlimit --rule": ["ada --reason=a --rule=" + "x".repeat(300)],
  "builder suspend --reason": ["ada --reason=" + "x".repeat(600)],
  "builder suspend --rule": ["ada --reason=a --rule=" + "x".repeat(300)],
  "builder suspend --until": ["ada --reason=a --until soon"],
  "builder spam --host": ["ada --reason=a --host=" + "x".repeat(600)],
  "builder spam --reason": ["ada --reason=" + "x".repeat(600)],
  "builder spam --rule": ["ada --reason=a --rule=" + "x".repeat(300)],
  "builder rename new": ["ada a_b_", "ada admin"],
  "application approve --word": ["app_x --word=" + "x".repeat(5000)],
  "application decline --word": ["app_x --word=" + "x".repeat(5000)],
  "case list --state": ["--state lost"],
  "case note text": ["post_x ="],
  "case decide act": ["post_x burn"],
  "case decide --reason": ["post_x hide --reason=" + "x".repeat(600)],
  "case decide --rule": ["post_x hide --reason=a --rule=" + "x".repeat(300)],
  "case decide --until": ["post_x suspend --reason=a --until soon"],
  "case undo --since": ["--of ada --since soon"],
  "appeal decide outcome": ["dec_x maybe --answer=a"],
  "appeal decide --answer": ["dec_x denied --answer=", "dec_x denied --answer=" + "x".repeat(3000)],
  "post hide --reason": ["post_x --reason="],
  "audit list --limit": ["--limit 0", "--limit x"],
  "token create --name": ["ada --name=", "ada --name=" + "x".repeat(500)],
  "token create --scope": ["ada --scope feed", "ada --scope feed:read --scope nothing"],
  "token create --expires-days": ["ada --expires-days 0"],
  "token create --tier": ["ada --tier gold"],
  "app create name": ["ada =" + "x".repeat(500) + " --redirect https://a.example/cb"],
  "app create --redirect": ["ada App --redirect nonsense"],
  "app create --scope": ["ada App --redirect https://a.example/cb --scope feed"],
  "app create --homepage": ["ada App --redirect https://a.example/cb --homepage nonsense"],
  "app create --id-token-alg": ["ada App --redirect https://a.example/cb --id-token-alg none"],
  "app suspend --reason": ["app_x --reason="],
  "app rate --sustained": ["app_x --sustained 0 --burst 1"],
  "app rate --burst": ["app_x --sustained 1 --burst x"],
  "workspace create name": ["= --owner ada"],
  "job publish --file": ["--file FILE", "--file none.json"],
  "import --forem": ["--forem http://a.example"],
  "import --from": ["--forem FILE --from a/b"],
  "import --author": ["--forem FILE --author="],
  "import --people": ["--forem FILE --people FILE", "--forem FILE --people none.csv"],
  "import --rate": ["--forem FILE --rate 0"],
  "listen --forward": ["--forward nonsense"],
  "listen --url": ["--forward http://127.0.0.1:1 --url nonsense"],
  "listen --after": ["--forward http://127.0.0.1:1 --after nonsense"],
  "listen --type": ["--forward http://127.0.0.1:1 --type nonsense"],
  "listen --secret": ["--forward http://127.0.0.1:1 --secret nonsense"],
  "backup file": ["=", "s3://"],
  "backup --passphrase-file": ["--passphrase-file none"],
  "restore file": ["s3://"],
  "restore --passphrase-file": ["FILE --passphrase-file none"],
  "maintenance on --message": ["--message=" + "x".repeat(5000)],
  "maintenance on --for": ["--for soon"],
  "promote --wait": ["--wait 0", "--wait x"],
  "completion shell": ["tcsh"],
  "openapi --origin": ["--origin nonsense"],
};

/**
 * Inputs that name an object of the community, a local path or a shell command. If the named object does not
 * exist, that is a failure, not a wrong value.
 */
const LOOKED_UP = [
  /--(?:data|settings|owner|workspace|builder|newcomer-post|state|stop-engine|member|of|inviter|network|link-host)$/,
  / (?:usernames?|id|id-or-token|workspace|dir|case|decisions?)$/,
];

/**
 * Every argument and every option with a value, for example `builder create username` and `builder create
 * --role`.
 */
function inputsOf(command: Command, before: readonly string[] = []): string[] {
  return command.commands.flatMap((each) => {
    const name = [...before, each.name()];
    if (each.commands.length > 0) return inputsOf(each, name);
    const inputs = [
      ...each.registeredArguments.map((argument) => argument.name()),
      ...each.options.filter((option) => option.required || option.optional).map(({ long }) => long ?? ""),
    ];
    return inputs.map((input) => [...name, input].join(" "));
  });
}

const INPUTS = inputsOf(await programOf({ variables: {}, settings: "" }));

test("each argument and option of each command has a wrong value in the table, or is looked up", () => {
  const unlisted = INPUTS.filter((input) => !(input in WRONG) && !LOOKED_UP.some((each) => each.test(input)));

  expect(unlisted).toEqual([]);
  expect(Object.keys(WRONG).filter((input) => !INPUTS.includes(input))).toEqual([]);
});

/** All tests share one world, because a wrong value changes nothing. */
let world: ReturnType<typeof createTestWorld>;
beforeAll(() => {
  world = createTestWorld();
  createMember(world.core, "ada");
});
afterAll(() => world[Symbol.dispose]());

for (const [input, lines] of Object.entries(WRONG))
  test(`a wrong value exits with code 2: ${input}`, async () => {
    const file = join(world.folder, "wrong.txt");
    writeFileSync(file, "wrong");
    const name = input.split(" ").slice(0, -1);
    for (const line of lines) {
      const args = line.split(" ").map((word) => word.replace(/^=/, "").replaceAll("FILE", file));

      const result = await command(world, [...name, ...args], { GUILDHALL_TOKEN: "guild_pat_x" });

      expect({ line, code: result.code, stdout: result.stdout }).toEqual({ line, code: 2, stdout: "" });
      expect(result.stderr).toMatch(/^(?:guildhall|error): [^\n]+\n/);
    }
  });

test("a missing object or a refusal of the community exits with code 1", async () => {
  for (const args of [
    ["builder", "suspend", "nobody", "--reason", "Spam"],
    ["builder", "create", "ada"],
    ["token", "create", "ada", "--workspace", "ws_x"],
    ["case", "show", "case_x"],
    ["import", join(world.folder, "none")],
    ["restore", join(world.folder, "none")],
  ])
    expect([args, (await command(world, args)).code]).toEqual([args, 1]);
  expect(existsSync(join(world.folder, "none"))).toBe(false);
});
