/**
 * The value of a cookie that is of this form. Of two with the same name neither is believed. Only blanks are
 * left away around a name: with another white space before it, which `trim` would take for nothing, a browser
 * lets a sibling site plant what looks like `__Host-` (U+00A0 is one byte here).
 */
export function readCookie(header: string | null, name: string, form: RegExp): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.replace(/^ +| +$/g, ""))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && form.test(values[0] ?? "") ? values[0] : undefined;
}
