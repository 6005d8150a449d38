import { escapeHtml } from "@kitajs/html";

/** A parameter of a message; a number is written as the language writes numbers. */
export type Text = string | number;

/** Markup that is safe already, as a component returns it. */
export type Markup = JSX.Element;

/** What the compiled messages of a language call. */
export interface Runtime {
  /** The plural category of a count. */
  plural(count: number): Intl.LDMLPluralRule;
  number(value: number): string;
  text(value: Text): string;
  /** The same, escaped for a page. */
  escaped(value: Text): string;
  markup(value: Markup): string;
}

/** Each function throws for a parameter that is missing: a sentence with a hole helps nobody. */
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
