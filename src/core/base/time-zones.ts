/** Time zones by their IANA names, as `Intl` supports them. */

/**
 * Returns the canonical spelling of a zone in any letter case; undefined for an unknown zone. Fixed offsets
 * do not count as zones, because they have no daylight saving time.
 */
export function findZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  const resolved = resolve(name);
  if (resolved === undefined) return undefined;
  return zoneNames().get(name.toLowerCase()) ?? resolved;
}

function resolve(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

let names: ReadonlyMap<string, string> | undefined;

function zoneNames(): ReadonlyMap<string, string> {
  names ??= new Map(Intl.supportedValuesOf("timeZone").map((name) => [name.toLowerCase(), name]));
  return names;
}
