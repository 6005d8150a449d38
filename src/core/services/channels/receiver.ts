import { chosenZone } from "../../community/xp/streaks.ts";
import type { Core } from "../../base/core.ts";
import type { Language } from "../../base/locales.ts";
import { selectLanguage } from "../../identity/builders/builders.ts";
import { communitySettingsOf } from "../../identity/community-settings/community-settings.ts";

/** How somebody is spoken to who is not here. */
export interface Receiver {
  language: Language;
  zone: string;
}

/** As they have chosen, else as the community does; so is whoever is no member, where `builderId` is null. */
export function receiverOf(core: Core, builderId: string | null): Receiver {
  const { language, zone } = communitySettingsOf(core);
  if (builderId === null) return { language, zone };
  return {
    language: selectLanguage(core, builderId) ?? language,
    zone: chosenZone(core, builderId) ?? zone,
  };
}
