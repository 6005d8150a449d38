/** A mail before it has its form: what it says, in order. Nothing of it is markup. */
export interface MailText {
  /** As BCP 47 names it. */
  language: string;
  subject: string;
  paragraphs: readonly string[];
  /** The one thing to do. */
  button?: { words: string; href: string };
  /** What it lists, each with where it leads. */
  items?: readonly { words: string; href: string }[];
  /** Below all: why it came. */
  foot: readonly string[];
  /** What ends such mails; its address takes a POST without a session (RFC 8058). */
  unsubscribe?: { words: string; href: string };
}

const SUBJECT_MAX = 150;
/** An admin's word, whole. */
const PARAGRAPH_MAX = 1000;
/**
 * Controls, line breaks, and letters that nobody sees or that turn a line around; but the word joiner of
 * `publicName`.
 */
const UNSEEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u2060]]+/gv;

/** One line, of letters that are seen. */
export function plainLine(text: string, max = 500): string {
  const line = text.toWellFormed().replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).toWellFormed()}…`;
}

/** The same in both forms that mail readers show. */
export function formsOfMail(mail: MailText): { subject: string; text: string; html: string } {
  const { button, items = [], unsubscribe } = mail;
  const [paragraphs, foot] = [mail.paragraphs, mail.foot].map((lines) =>
    lines.map((line) => plainLine(line, PARAGRAPH_MAX)),
  );
  const links = items.map(({ words, href }) => ({ words: plainLine(words), href }));
  const text = [
    ...(paragraphs ?? []),
    ...(button ? [button.href] : []),
    ...(links.length > 0 ? [links.map(({ words, href }) => `- ${words}\n  ${href}`).join("\n")] : []),
    ["-- ", ...(foot ?? []), ...(unsubscribe ? [`${unsubscribe.words}: ${unsubscribe.href}`] : [])].join(
      "\n",
    ),
  ];
  const small = [
    ...(foot ?? []).map(escaped),
    ...(unsubscribe ? [anchor(unsubscribe.href, unsubscribe.words)] : []),
  ];
  const html = [
    ...(paragraphs ?? []).map((line) => `<p>${escaped(line)}</p>`),
    ...(button ? [`<p>${anchor(button.href, button.words)}</p>`] : []),
    ...(links.length > 0
      ? [`<ul>${links.map(({ words, href }) => `<li>${anchor(href, words)}</li>`).join("")}</ul>`]
      : []),
    `<p><small>${small.join("<br>")}</small></p>`,
  ];
  return {
    subject: plainLine(mail.subject, SUBJECT_MAX),
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html><html lang="${escaped(mail.language)}"><head><meta charset="utf-8"></head><body>${html.join("\n")}</body></html>`,
  };
}

function anchor(href: string, words: string): string {
  return `<a href="${escaped(href)}">${escaped(words)}</a>`;
}

function escaped(text: string): string {
  return Bun.escapeHTML(text);
}
