/** Content of an email before formatting, in order of appearance. All texts are plain, without markup. */
export interface MailText {
  /** BCP 47 language tag. */
  language: string;
  subject: string;
  paragraphs: readonly string[];
  /** Primary action. */
  button?: { text: string; href: string };
  /** List items with their links. */
  items?: readonly { text: string; href: string }[];
  /** Last lines: the reason for the mail. */
  foot: readonly string[];
  /** Unsubscribe link. The URL accepts a POST without a session (RFC 8058). */
  unsubscribe?: { text: string; href: string };
}

const SUBJECT_MAX = 150;
/** Maximum length of a paragraph in characters. An admin's complete message fits. */
const PARAGRAPH_MAX = 1000;
/**
 * Control characters, line breaks, and invisible or bidirectional characters. Excludes the word joiner
 * (U+2060), which `publicName` inserts.
 */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u2060]]+/gv;

/** Returns the text as one line of visible characters. Cuts the line to `max` characters. */
export function plainLine(text: string, max = 500): string {
  const line = text.toWellFormed().replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
}

/** Formats an email as plain text and as HTML, with the same content. */
export function formsOfMail(mail: MailText): { subject: string; text: string; html: string } {
  const { button, items = [], unsubscribe } = mail;
  const [paragraphs, foot] = [mail.paragraphs, mail.foot].map((lines) =>
    lines.map((line) => plainLine(line, PARAGRAPH_MAX)),
  );
  const links = items.map(({ text: label, href }) => ({ text: plainLine(label), href }));
  const text = [
    ...(paragraphs ?? []),
    ...(button ? [button.href] : []),
    ...(links.length > 0 ? [links.map(({ text: label, href }) => `- ${label}\n  ${href}`).join("\n")] : []),
    ["-- ", ...(foot ?? []), ...(unsubscribe ? [`${unsubscribe.text}: ${unsubscribe.href}`] : [])].join("\n"),
  ];
  const small = [
    ...(foot ?? []).map(escaped),
    ...(unsubscribe ? [anchor(unsubscribe.href, unsubscribe.text)] : []),
  ];
  const html = [
    ...(paragraphs ?? []).map((line) => `<p>${escaped(line)}</p>`),
    ...(button ? [`<p>${anchor(button.href, button.text)}</p>`] : []),
    ...(links.length > 0
      ? [`<ul>${links.map(({ text: label, href }) => `<li>${anchor(href, label)}</li>`).join("")}</ul>`]
      : []),
    `<p><small>${small.join("<br>")}</small></p>`,
  ];
  return {
    subject: plainLine(mail.subject, SUBJECT_MAX),
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html><html lang="${escaped(mail.language)}"><head><meta charset="utf-8"></head><body>${html.join("\n")}</body></html>`,
  };
}

function anchor(href: string, text: string): string {
  return `<a href="${escaped(href)}">${escaped(text)}</a>`;
}

function escaped(text: string): string {
  return Bun.escapeHTML(text);
}
