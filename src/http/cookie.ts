/**
 * Returns the value of a cookie if it matches `form`. Returns `undefined` if several cookies have the name.
 * Removes only ordinary spaces around a name. `trim` would remove all white space, including U+00A0, which is
 * one byte in the header. A sibling site could then set a cookie whose name is U+00A0 followed by `__Host-`,
 * and the cookie would count as a `__Host-` cookie.
 */
export function readCookie(header: string | null, name: string, form: RegExp): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.replace(/^ +| +$/g, ""))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && form.test(values[0] ?? "") ? values[0] : undefined;
}
