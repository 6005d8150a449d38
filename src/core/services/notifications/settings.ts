import { type Static, type TOptional, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import {
  CHOSEN_KINDS,
  type ChosenKind,
  factsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type Reach,
  REACHES,
} from "../../identity/notifications/kinds.ts";
import { Choice } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { Enum } from "../../base/view.ts";
import { putReach, selectChannels } from "./settings-store.ts";

/** Names of the kinds in a view, in camel case: `jobMatch`. */
type Field = { [Kind in ChosenKind]: Camel<Kind> }[ChosenKind];
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

function fieldOf(kind: ChosenKind): Field {
  return kind.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Field;
}

const CHOICE = "`off`, `here` (in the list), `push` (also on your devices), or `mail` (also by email).";

/**
 * Returns the description of a kind's setting, such as “How you are notified when someone replies to you.”
 */
function describeSetting(kind: ChosenKind): string {
  const { when } = factsOf(kind);
  return `How you are notified when ${when.charAt(0).toLowerCase()}${when.slice(1)}`;
}

export const NotificationSettingsView = Type.Object(
  Object.fromEntries(
    CHOSEN_KINDS.map((kind) => [fieldOf(kind), Enum(REACHES, describeSetting(kind))]),
  ) as Record<Field, ReturnType<typeof Enum<typeof REACHES>>>,
  { $id: "NotificationSettings", description: `How each kind of notification reaches you: ${CHOICE}` },
);
export type NotificationSettings = Static<typeof NotificationSettingsView>;

export const NotificationSettingsDraft = Type.Object(
  Object.fromEntries(
    CHOSEN_KINDS.map((kind) => [
      kind,
      Type.Optional(Choice(REACHES, `${describeSetting(kind)} Choose ${CHOICE}`)),
    ]),
  ) as Record<ChosenKind, TOptional<ReturnType<typeof Choice<typeof REACHES>>>>,
);
export type NotificationSettingsDraft = Static<typeof NotificationSettingsDraft>;

/**
 * Returns the settings of all kinds that a member can choose. Includes the kinds for admins, although these
 * kinds have no effect for other members. Needs `notifications:read`.
 */
export function getNotificationSettings(core: Core, caller: Caller): NotificationSettings {
  return settingsOf(core, requireBuilder(caller, "notifications:read").builderId);
}

/**
 * Changes the given settings and returns all settings. Earlier notifications are unchanged. Needs
 * `notifications:write`.
 */
export function changeNotificationSettings(
  core: Core,
  caller: Caller,
  change: NotificationSettingsDraft,
): NotificationSettings {
  const { builderId } = requireBuilder(caller, "notifications:write");
  return core.db.transact(() => {
    for (const kind of CHOSEN_KINDS) {
      const reach = change[kind];
      if (reach !== undefined) putReach(core, { builderId, kind, reach });
    }
    return settingsOf(core, builderId);
  });
}

/** Returns the settings by kind, including kinds that cannot be chosen. Needs `notifications:read`. */
export function reachOfKinds(core: Core, caller: Caller): Readonly<Record<NotificationKind, Reach>> {
  const chosen = selectChannels(core, requireBuilder(caller, "notifications:read").builderId);
  return Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, chosen.get(kind) ?? factsOf(kind).reach]),
  ) as Record<NotificationKind, Reach>;
}

function settingsOf(core: Core, builderId: string): NotificationSettings {
  const chosen = selectChannels(core, builderId);
  return Object.fromEntries(
    CHOSEN_KINDS.map((kind) => [fieldOf(kind), chosen.get(kind) ?? factsOf(kind).reach]),
  ) as Record<Field, Reach>;
}
