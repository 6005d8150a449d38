/** @jsxImportSource @kitajs/html */
import type { PageContext } from "../request/route.ts";

/** Fields that are never shown again: secrets, and fields that our pages fill in. */
const NEVER_SHOWN: ReadonlySet<string> = new Set([
  "form_token",
  "token",
  "password",
  "current",
  "response",
  "next",
  "endpoint",
  "p256dh",
  "auth",
  "revision",
  "picture",
  "drop",
]);

/** A short single word is a choice or a name, which is quick to enter again. */
const SHORT = /^\S{0,19}$/;

/**
 * The texts of a form, to copy from a page that cannot show the form again (docs/contract.md#9.7). Empty if
 * the form had none.
 */
export function TypedText({ ctx }: { ctx: Pick<PageContext, "form" | "messages"> }) {
  const { typed, typedHint } = ctx.messages.layout.problem;
  const texts = [...ctx.form].filter(([name, value]) => !NEVER_SHOWN.has(name) && !SHORT.test(value.trim()));
  if (texts.length === 0) return "";
  return (
    <section class="stack below" aria-label={typed}>
      <h2 safe>{typed}</h2>
      <p class="hint" safe>
        {typedHint}
      </p>
      {texts.map(([name, value]) => (
        <div class="field">
          <textarea readonly rows="4" aria-label={`${typed}: ${name}`} dir="auto" safe>
            {value.replaceAll("\r\n", "\n")}
          </textarea>
        </div>
      ))}
    </section>
  );
}
