import { formsOf } from "../forms.ts";

export const forms = formsOf("de");
export const { plural, list, number, decimal, compact } = forms;
