import { type Static, Type } from "@sinclair/typebox";
import { Choice } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { LANGUAGES } from "../../base/locales.ts";
import { orNull } from "../../base/view.ts";
import { type Caller, requireBuilder } from "../access/caller.ts";
import { updateLanguage } from "./builders-store.ts";

export const LanguageDraft = Type.Object({
  language: orNull(
    Choice(LANGUAGES),
    "The language of pages, emails, and notifications. `null` to use the browser's language.",
  ),
});
type LanguageDraft = Static<typeof LanguageDraft>;

/** Sets the caller's language. Needs `profile:write`. Call it in a transaction. */
export function chooseLanguage(core: Core, caller: Caller, { language }: LanguageDraft): void {
  updateLanguage(core, requireBuilder(caller, "profile:write").builderId, language);
}
