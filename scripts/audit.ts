/**
 * Asks the registry for known vulnerabilities of the packages in the binary: `bun run audit`. Exit codes: 0
 * none, 1 some, 2 no registry answered.
 */
const audit = (...flags: string[]) =>
  Bun.spawnSync([process.execPath, "audit", "--production", ...flags], {
    stdout: "pipe",
    stderr: "pipe",
    timeout: 30_000,
  });

const { stdout, stderr } = audit("--json");
const faults = parse(stdout.toString());
if (faults === undefined) {
  console.error(`The registry could not be asked: ${stderr.toString().trim() || "no answer"}`);
  console.error("Known faults were NOT looked for; run it again where the registry answers.");
  process.exit(2);
}
if (Object.keys(faults).length > 0) {
  console.error(audit().stdout.toString());
  process.exit(1);
}
console.log("No known faults in what goes into the binary.");

/**
 * Returns the vulnerabilities by package, or undefined for any other output, such as a registry's error
 * message.
 */
function parse(text: string): Record<string, unknown[]> | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const isAnswer = found instanceof Object && Object.values(found).every(Array.isArray);
    return isAnswer ? (found as Record<string, unknown[]>) : undefined;
  } catch {
    return undefined;
  }
}
