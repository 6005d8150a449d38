/** Maximum number of the community's own links in the footer. */
export const FOOTER_LINKS_MAX = 5;
/** Maximum length of a label, in characters. */
export const LABEL_MAX = 40;

export interface FooterLink {
  label: string;
  url: string;
}

/** Parses the setting `links`: one link per line, with the URL after the last blank. */
export function footerLinksOf(links: string): FooterLink[] {
  if (links === "") return [];
  return links.split("\n").map((line) => {
    const end = line.lastIndexOf(" ");
    return { label: line.slice(0, end), url: line.slice(end + 1) };
  });
}
