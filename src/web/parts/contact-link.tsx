/** @jsxImportSource @kitajs/html */

/** The contact of the community, as a link to its page or email address. */
export function ContactLink({ contact }: { contact: string }) {
  const isPage = contact.startsWith("https://");
  return (
    <a href={contactUrl(contact)} rel={isPage ? "noopener nofollow" : undefined} safe>
      {contact}
    </a>
  );
}

/** Returns the URL of a contact, which is an https URL or an email address. */
export function contactUrl(contact: string): string {
  return contact.startsWith("https://") ? contact : `mailto:${contact}`;
}
