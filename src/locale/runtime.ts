import { escapeHtml } from "@kitajs/html";

/** A message parameter. Numbers are formatted in the message's language. */
export type Text = string | number;

/** Safe HTML, as components return it. */
export type Markup = JSX.Element;

/** The functions that compiled messages call. */
export interface Runtime {
  plural(count: number): Intl.LDMLPluralRule;
  number(value: number): string;
  text(value: Text): string;
  /** `text`, escaped for HTML. */
  escaped(value: Text): string;
  markup(value: Markup): string;
}

/** Every function but `number` throws TypeError for a missing parameter. */
export function runtimeOf(language: string): Runtime {
  const rules = new Intl.PluralRules(language);
  const { format } = new Intl.NumberFormat(language);
  const text = (value: Text): string => {
    if (typeof value === "string") return value;
    if (typeof value === "number") return format(value);
    throw new TypeError("A message lacks one of its parameters");
  };
  return {
    plural(count) {
      if (typeof count !== "number") throw new TypeError("A message lacks its count");
      return rules.select(count);
    },
    number: format,
    text,
    escaped: (value) => escapeHtml(text(value)),
    markup(value) {
      if (typeof value !== "string")
        throw new TypeError("A message lacks the markup of one of its parameters");
      return value;
    },
  };
}
