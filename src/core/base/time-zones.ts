/** Time zones by their names in the IANA database, as `Intl` knows them. */

/**
 * The zone under its own name, whatever case it was sent in; undefined where nobody knows it. Fixed offsets
 * are no zones: they move with no season.
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
