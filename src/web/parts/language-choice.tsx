/** @jsxImportSource @kitajs/html */
import type { PageContext } from "../request/route.ts";
import { LANGUAGES } from "../../core/base/locales.ts";
import { messagesOf } from "../../locale/messages.ts";
import { FormToken } from "./parts.tsx";

/** The language choice for guests at the foot of each page. Members choose their language in the settings. */
export function LanguageChoice({ ctx }: { ctx: PageContext }) {
  const { context, formToken, person, messages } = ctx;
  if (person || formToken === "") return "";
  const currentPath = context.method === "GET" ? context.path + (context.query && `?${context.query}`) : "/";
  return (
    <form class="tongues" method="post" action="/language" aria-label={messages.layout.language}>
      <FormToken ctx={ctx} />
      <input type="hidden" name="next" value={currentPath} />
      {LANGUAGES.map((language) => (
        <button
          class="link"
          name="language"
          value={language}
          lang={language}
          aria-current={language === messages.language ? "true" : undefined}
        >
          {messagesOf(language).common.languageName}
        </button>
      ))}
    </form>
  );
}
