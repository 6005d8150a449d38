/**
 * Returns the value of a cookie if it matches `form`. Returns `undefined` if several cookies have the name.
 *
 * Only spaces are trimmed around a name, not all white space as by `trim`. Otherwise a sibling site could set
 * a cookie such as U+00A0 followed by `__Host-`, which would pass for a `__Host-` cookie. U+00A0 is one byte
 * here.
 */
export function readCookie(header: string | null, name: string, form: RegExp): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.replace(/^ +| +$/g, ""))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && form.test(values[0] ?? "") ? values[0] : undefined;
}
