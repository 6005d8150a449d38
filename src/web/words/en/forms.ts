import { formsOf } from "../forms.ts";

export const forms = formsOf("en");
export const { plural, list, number, decimal, compact } = forms;
