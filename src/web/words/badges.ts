/**
 * The name of a badge in a language: of one that everybody can earn its own, of one that the community gave a slug as
 * words, and any other name as it was given.
 */
export function badgeName(names: Readonly<Record<string, string>>, badge: string): string {
  if (Object.hasOwn(names, badge)) return names[badge] as string;
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(badge)) return badge;
  const words = badge.replaceAll("-", " ");
  return (words[0] as string).toUpperCase() + words.slice(1);
}
