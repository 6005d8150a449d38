/**
 * Whether every browser keeps Secure cookies for a site. Most of them also do for http on the same machine; Safari does not (WebKit bug
 * 281149), and nobody could sign in there.
 */
export function isSecureOrigin(origin: string): boolean {
  return new URL(origin).protocol === "https:";
}
