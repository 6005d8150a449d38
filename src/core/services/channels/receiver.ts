import { chosenZone } from "../../community/xp/streaks.ts";
import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { selectLanguage } from "../../identity/builders/builders.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";

/**
 * Locale and time zone for messages to a person. The messages are not written in a request of that person, so
 * they cannot use the request's locale.
 */
export interface Receiver {
  language: Language;
  zone: string;
}

/**
 * Returns the locale and time zone of a member. If the member has not chosen a value, returns the value of
 * the community. Pass null for a person who is not a member.
 */
export function receiverOf(core: Core, builderId: string | null): Receiver {
  const { language, zone } = communitySettingsOf(core);
  if (builderId === null) return { language, zone };
  return {
    language: selectLanguage(core, builderId) ?? language,
    zone: chosenZone(core, builderId) ?? zone,
  };
}
