import { formsOf } from "../forms.ts";

export const forms = formsOf("es");
export const { plural, list, number, decimal, compact } = forms;

/** A number with its noun; from a million on, a «de» stands between: «1.000.000 de respuestas». */
export const counted = (count: number, one: string, other: string): string =>
  plural(count, { one: `{n} ${one}`, many: `{n} de ${other}`, other: `{n} ${other}` });
