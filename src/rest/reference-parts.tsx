/** @jsxImportSource @kitajs/html */
import { escapeHtml, type PropsWithChildren } from "@kitajs/html";

/** Plain text of the document as HTML; what stands in backticks becomes code. Escapes first: no backtick is made by that. */
export function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

export function Method({ method }: { method: string }) {
  const kind = method === "GET" ? "reads" : "writes";
  return (
    <span class={`method ${kind}`} safe>
      {method}
    </span>
  );
}

/** A path whose parameters step back, with places to break it where a column is narrow. */
export function Path({ path }: { path: string }) {
  const parts = path.split(/(\{\w+\})/).filter((part) => part !== "");
  return (
    <code class="path">
      {parts.map((part) =>
        part.startsWith("{") ? <span class="hole">{escapeHtml(part)}</span> : <span>{escapeHtml(part)}</span>,
      )}
    </code>
  );
}

/** A table in a box of its own, which scrolls where the page is narrow; the keyboard can reach it to scroll it. */
export function Table({
  label,
  columns,
  kind,
  children,
}: PropsWithChildren<{ label: string; columns: readonly string[]; kind?: string }>) {
  return (
    <div class="table" role="region" aria-label={label} tabindex="0">
      <table class={kind}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" safe>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A panel of code. `markup` is HTML already: `shell` or `json` made it. */
export function Code({ title, markup }: { title: string; markup: string }) {
  return (
    <figure class="code">
      <figcaption safe>{title}</figcaption>
      <pre tabindex="0">
        <code>{markup}</code>
      </pre>
    </figure>
  );
}

/** Shell lines as HTML: comments step back, quoted text is tinted. */
export function shell(text: string): string {
  return text.replaceAll(SHELL_TOKEN, (token) => {
    const escaped = escapeHtml(token);
    if (token.startsWith("#")) return `<span class="c">${escaped}</span>`;
    return /^['"]/.test(token) ? `<span class="s">${escaped}</span>` : escaped;
  });
}

/** Comment, single-quoted, double-quoted, or the text between them: every character is in one of them. */
const SHELL_TOKEN = /^#.*$|'[^']*'|"(?:[^"\\]|\\.)*"|[^'"#]+|['"#]/gm;

/** A value as JSON in HTML: texts and other values in their tints, names in none. */
export function json(value: unknown): string {
  return printJson(value).replaceAll(JSON_TOKEN, (token, text?: string, colon?: string, word?: string) => {
    if (text !== undefined && colon !== undefined) return escapeHtml(text) + colon;
    if (text !== undefined) return `<span class="s">${escapeHtml(text)}</span>`;
    return word === undefined ? escapeHtml(token) : `<span class="n">${escapeHtml(word)}</span>`;
  });
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(true|false|null|-?\d[\d.eE+-]*)|[^"]/g;

const LINE_LENGTH = 52;

/** Like JSON.stringify with two blanks, but what fits on a line stays on one. */
export function printJson(value: unknown, indent = "", room = LINE_LENGTH): string {
  const line = onOneLine(value);
  if (typeof value !== "object" || value === null || line.length <= room - indent.length) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + printJson(item, inner)).join(",\n")}\n${indent}]`;
  }
  const entries = Object.entries(value).map(([name, part]) => {
    const start = `${inner}${JSON.stringify(name)}: `;
    return start + printJson(part, inner, LINE_LENGTH - JSON.stringify(name).length - 2);
  });
  return `{\n${entries.join(",\n")}\n${indent}}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${onOneLine(part)}`);
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}
