import type { AddedAccess, NotificationKind } from "../../../core/identity/notifications/kinds.ts";
import type { Told } from "../en/told.ts";
import type { Words } from "../words.ts";
import { badgeName } from "../badges.ts";
import { people } from "./people.ts";
import { number, plural } from "./forms.ts";

type Say = (who: string, told: Told) => string;

const who = ({ actors: [first = "Jemand"], count }: Told): string =>
  count > 1 ? `${first} und ${plural(count - 1, { one: "noch jemand", other: "{n} weitere" })}` : first;

/** Who, and what they do: the verb follows the number of them. */
const does =
  (one: string, many: string): Say =>
  (name, { count }) =>
    `${name} ${count > 1 ? many : one}`;

/** What was added to an account and gives access to it, by its name in the core. */
const access: Readonly<Record<AddedAccess, string>> = {
  sessions: "Jemand hat sich mit einem neuen Browser in deinem Konto angemeldet",
  password: "Das Passwort deines Kontos wurde geändert",
  passkeys: "Deinem Konto wurde ein Passkey hinzugefügt",
  mail: "Dein Konto hat eine neue E-Mail-Adresse",
  tokens: "Für dein Konto wurde ein Zugangstoken erstellt",
  apps: "Eine App hat Zugang zu deinem Konto bekommen",
  endpoints: "Deinem Konto wurde ein Webhook-Endpunkt hinzugefügt",
  feed: "Für dein Konto wurde eine private Feed-Adresse erstellt",
  push: "Ein Browser bekommt jetzt deine Mitteilungen",
  links: "Ein Link wurde erstellt, der in dein Konto oder deinen Arbeitsbereich führt",
};

/** The same for any name: a newer version may have stored one that this version lacks. */
export const accessAdded = (what: string): string =>
  new Map(Object.entries(access)).get(what) ?? "Zu deinem Konto ist ein neuer Zugang dazugekommen";

const sentences: Readonly<Record<NotificationKind, Say>> = {
  reply: does("hat dir geantwortet", "haben dir geantwortet"),
  mention: does("hat dich erwähnt", "haben dich erwähnt"),
  like: does("mag, was du geschrieben hast", "mögen, was du geschrieben hast"),
  follow: does("folgt dir", "folgen dir"),
  job_match: () => "Eine neue Stelle passt zu einer deiner Suchen",
  prompt_rating: does("hat deinen Prompt bewertet", "haben deinen Prompt bewertet"),
  message: does("hat dir zum ersten Mal geschrieben", "haben dir zum ersten Mal geschrieben"),
  level_up: () => "Du hast eine neue Stufe erreicht",
  badge: (_, { about }) =>
    about === ""
      ? "Du hast ein Abzeichen bekommen"
      : `Du hast ein Abzeichen bekommen: ${badgeName(people.badges.names, about)}`,
  report_decided: () => "Über eine Meldung von dir wurde entschieden",
  hidden: () => "Die Moderation hat etwas von dir ausgeblendet",
  endpoint_failing: () => "Ein Webhook-Endpunkt von dir hat Fehler",
  endpoint_disabled: () => "Ein Webhook-Endpunkt von dir wurde abgeschaltet",
  sign_in: () => access.sessions,
  access_added: (_, { subjectId }) => accessAdded(subjectId),
  mail_bounced: () => "Dein Postfach nimmt keine E-Mails an: prüfe deine E-Mail-Adresse",
  invitation: () => "In einem deiner Arbeitsbereiche gibt es Neues",
  report_waiting: (_, { count }) =>
    plural(count, { one: "Eine Meldung wartet", other: "{n} Meldungen warten" }),
  application_received: (_, { count }) =>
    plural(count, { one: "Jemand möchte mitmachen", other: "{n} möchten mitmachen" }),
  member_joined: does("ist jetzt dabei", "sind jetzt dabei"),
  owner_changed: does("hat geändert, wem die Community gehört", "haben geändert, wem die Community gehört"),
  backup_failed: () => "Eine Sicherung ist fehlgeschlagen",
};

/** What goes out: to a browser, a mailbox, a reader of feeds. */
export const told: Words["told"] = {
  sentence: (one) => sentences[one.kind](who(one), one),
  access,
  more: (count) => `und ${number(count)} weitere`,
};
