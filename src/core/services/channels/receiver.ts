import { chosenZone } from "../../community/xp/streaks.ts";
import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { selectLanguage } from "../../identity/builders/builders.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";

/**
 * Locale and time zone for messages to a person. Such messages are written outside the person's own requests.
 */
export interface Receiver {
  language: Language;
  zone: string;
}

/**
 * Returns the member's settings. Settings that the member has not chosen are the community's. Pass null for a
 * person who is not a member.
 */
export function receiverOf(core: Core, builderId: string | null): Receiver {
  const { language, zone } = communitySettingsOf(core);
  if (builderId === null) return { language, zone };
  return {
    language: selectLanguage(core, builderId) ?? language,
    zone: chosenZone(core, builderId) ?? zone,
  };
}
