/** @jsxImportSource @kitajs/html */
import { escape } from "../../../core/base/highlight.ts";
import { type NameOf, renderPlainText } from "../../../core/base/names.ts";
import { Button, TextArea } from "../../parts/parts.tsx";
import type { PageContext } from "../../request/route.ts";

/** A variable of a prompt, such as `{{language}}`. */
const VARIABLE = /\{\{[ \t]*([\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_. -]{0,48}[\p{L}\p{N}\p{M}_])?)[ \t]*\}\}/gu;
/** Maximum number of variables that become fields. Further variables remain text. */
const VARIABLES_MAX = 20;
/** Maximum length of a value in a URL. A script fills in longer values, and then removes this limit. */
const VALUE_MAX = 500;

/** Returns the distinct variables of a prompt, in the order of the text. */
export function variablesOf(body: string): string[] {
  return [...new Set([...body.matchAll(VARIABLE)].map(([, name = ""]) => name))].slice(0, VARIABLES_MAX);
}

/** The prompt as HTML, with values in place of its variables. A script updates these elements. */
export function filledPrompt(
  ctx: PageContext,
  body: string,
  variables: readonly string[],
  nameOf: NameOf | undefined,
): string {
  let [html, at] = ["", 0];
  for (const { 0: written, 1: name = "", index } of body.matchAll(VARIABLE)) {
    const number = variables.indexOf(name);
    if (number < 0) continue;
    const value = valueOf(ctx, number);
    html += renderPlainText(body.slice(at, index), nameOf);
    html += `<span class="variable" data-variable="${fieldName(number)}" data-empty="${escape(written)}">`;
    html += `${escape(value || written)}</span>`;
    at = index + written.length;
  }
  return html + renderPlainText(body.slice(at), nameOf);
}

/** A field for each variable. Nothing is stored: the values are in the URL, or in the page of a script. */
export function VariableFields({
  ctx,
  id,
  variables,
}: {
  ctx: PageContext;
  id: string;
  variables: readonly string[];
}) {
  const messages = ctx.messages.prompts.variables;
  return (
    <form class="variables" action={`/prompts/${id}#prompt`} data-variables>
      <fieldset>
        <legend>{messages.title}</legend>
        <p class="hint">{messages.lead}</p>
        <div class="variable-fields">
          {variables.map((name, number) => (
            <TextArea
              name={fieldName(number)}
              label={name.replaceAll("_", " ")}
              value={valueOf(ctx, number)}
              rows={1}
              maxlength={VALUE_MAX}
            />
          ))}
        </div>
        <Button kind="quiet">{messages.fillIn}</Button>
      </fieldset>
    </form>
  );
}

function fieldName(number: number): string {
  return `v${number + 1}`;
}

function valueOf({ query }: PageContext, number: number): string {
  return query.get(fieldName(number)) ?? "";
}
