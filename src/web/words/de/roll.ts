import type { Words } from "../words.ts";

/** Builders as those who run the community see them, and what they can do for or against them. */
export const roll: Words["roll"] = {
  username: "Benutzername oder sein Anfang",
  find: "Finden",
  nobody: "Niemand hat einen solchen Benutzernamen",
  nobodyLead: "Nur der Anfang zählt. [Alle, die Neuesten zuerst](/admin/builders)",
  more: "Mehr",
  joined: "beigetreten {when}",
  roles: {
    owner: "Inhaberschaft",
    admin: "Admin",
    moderator: "Moderation",
    member: "Mitglied",
  },
  notStaff: "Nicht vom Team",
  suspended: "Gesperrt",
  newness: {
    title: "Neu hier",
    lead: "Bis {when} gelten Grenzen für Links, Bilder und Nachrichten an Fremde. Bürgst du für das Mitglied, gelten sie ihm nie mehr.",
    vouch: "Für das Mitglied bürgen",
  },
  builder: {
    lead: "{name}, dabei seit {when}. [Profil]({address})",
    invited: "Kam über eine Einladung von {inviter}.",
    invitedAs: "Kam über eine Einladung von {inviter}: {label}.",
    nobodyInParticular: "jemandem, der den Server betreibt oder nicht mehr da ist",
    intruder: "Jemand anderes im Konto",
    intruderLead:
      "Beendet alles, was Zugang gibt: Sitzungen, Token, verbundene Apps, Webhook-Endpunkte und Links. Die nächste Seite sagt, was es gibt, und fragt, womit sich das Mitglied weiter anmelden soll.",
    secure: "Konto absichern",
    suspend: "Sperren",
    suspendLead:
      "Das Mitglied wird sofort abgemeldet, und keines seiner Token gilt mehr. Auch die Apps, die es registriert hat, ruhen für alle, die sie zugelassen haben; ausgenommen sind Apps eines gemeinsamen Arbeitsbereichs, den noch jemand leitet. Darf es wieder herein, meldet es sich neu an: Seine Sitzungen, Token, verbundenen Apps und Links sind endgültig beendet, seine Webhook-Endpunkte bleiben aus, bis es sie einschaltet, und seine Apps gehen wieder. Was es geschrieben hat, bleibt.",
    suspendButton: "Konto sperren",
    delete: "Löschen",
    deleteLead:
      "Das Konto wird sofort mit allem verborgen, was dort geschrieben wurde, und niemand kann sich anmelden. Nach sieben Tagen wird es endgültig gelöscht; bis dahin können die Inhaber:innen der Community das rückgängig machen. Soll das Mitglied nur draußen bleiben, sperre es. Es kann sein Konto auch selbst sofort löschen, in den Einstellungen. Der Benutzername bleibt vergeben.",
    theirUsername: "Der Benutzername, zum Zeichen, dass du es ernst meinst",
    deleteButton: "Konto löschen",
    suspendedSince: "Seit {when} kann dieses Mitglied nicht herein.",
    letIn: "Wieder hereinlassen",
  },
  pending: {
    title: "Gelöschte Konten",
    lead: "Diese Konten sind mit allem verborgen, was dort geschrieben wurde, und niemand kann sich anmelden. Bis zur endgültigen Löschung kannst du sie zurückholen.",
    dates: "Gelöscht {deleted}. Endgültige Löschung: {erased}.",
    datesBy: "Gelöscht {deleted} von {deleter}. Endgültige Löschung: {erased}.",
    undo: "Rückgängig machen",
    undoOf: (username) => `Löschung von ${username} rückgängig machen`,
  },
  role: {
    title: "Rolle",
    what: "Was dieses Mitglied für die Community tun darf",
    may: {
      member: "Was alle dürfen.",
      moderator: "Beantwortet Meldungen, blendet aus, was gegen die Regeln ist, und sperrt Mitglieder.",
      admin:
        "Leitet die Community, ohne Zugriff auf Inhaberschaft und andere Admins. Macht Mitglieder zur Moderation.",
      owner: "Alles. Gibt und nimmt jede Rolle.",
    },
    /** Why it is not for whoever looks to change. */
    fixed: {
      member: "Das ändern nur Admins oder wem die Community gehört.",
      moderator: "Das ändern nur Admins oder wem die Community gehört.",
      admin: "Das ändert nur, wem die Community gehört.",
      owner: "Das ändert nur das Mitglied selbst, oder wer den Server betreibt.",
    },
    give: "Rolle ändern",
    handOverLead:
      "Oder die Community gehört an deiner Stelle diesem Mitglied, und du bist Admin: Nur es kann sie dir zurückgeben. Alle anderen, denen sie gehört, werden benachrichtigt.",
    handOver: "Community übergeben",
  },
  wayIn: {
    unclaimed: "Noch nicht in Besitz genommen",
    imported: "Das Konto wurde von {origin} übernommen, und niemand kann sich damit anmelden.",
    claimLead:
      "Ein Link, mit dem innerhalb von sieben Tagen ein Passwort gesetzt wird. Gib ihn selbst weiter und sei sicher, dass es die richtige Person ist: Wer ihn öffnet, hat das Konto.",
    claim: "Link zum Konto erstellen",
    forgotten: "Passwort vergessen",
    recoveryLead:
      "Ein Link, mit dem innerhalb von 24 Stunden ein neues gesetzt wird. Gib ihn selbst weiter und sei sicher, dass es die richtige Person ist: Wer ihn öffnet, hat das Konto.",
    recovery: "Wiederherstellungslink erstellen",
  },
  recovery: {
    title: "Ein Wiederherstellungslink",
    of: (username) => `Für @${username}`,
    label: "Wiederherstellungslink",
    copy: "Kopiere ihn jetzt: Er wird nicht noch einmal gezeigt. Er gilt einmal, bis {when}; jeder frühere gilt nicht mehr.",
    back: "Zurück zum Mitglied",
  },
  securing: {
    title: (username) => `@${username} absichern`,
    lead: "Für den Fall, dass jemand anderes in diesem Konto ist. Was hier steht, endet sofort und endgültig. [Zurück zum Mitglied]({address})",
    password: "Das Passwort",
    keep: "Womit sich das Mitglied weiter anmeldet",
    keepHint:
      "Nimm den Haken weg, wo jemand anderes Zugriff haben könnte. Bleibt nichts übrig, führt ein Wiederherstellungslink zurück ins Konto.",
    button: "Konto absichern",
  },
};

/** The apps of everybody, as those who run the community see them. */
export const allApps: Words["allApps"] = {
  lead: "Alles, was Mitglieder registriert haben, das Neueste zuerst.",
  empty: "Noch keine App",
  emptyLead: "Mitglieder registrieren sie unter „Deine Apps“.",
  registered: "Von {maker} · registriert {when}",
  ownRate: "Eigene Grenze",
  suspended: "Gesperrt",
  ownerSuspended: "Mitglied gesperrt",
  registeredAt: "Von {maker}, registriert am {when}",
  rate: "Grenze",
  rateLead:
    "Für alle, die sie aufrufen, statt der Grenze der Stufe OAuth. Lass beides leer, um sie zurückzunehmen.",
  sustained: "Anfragen pro Minute",
  burst: "Auf einmal",
  setRate: "Grenze setzen",
  suspend: "Sperren",
  suspendLead: "Alle ihre Token gelten sofort nicht mehr, und niemand kann sie zulassen.",
  reason: "Warum",
  reasonHint: "Wer sie gebaut hat, liest es.",
  suspendButton: "App sperren",
  since: "Seit {when}",
  restore: "Wieder arbeiten lassen",
  facts: {
    id: "Client-ID",
    kind: "Art",
    kinds: { public: "Öffentlich: Sie hat kein Geheimnis", confidential: "Vertraulich" },
    homepage: "Webseite",
    redirects: "Rücksprungadressen",
    scopes: "Darf darum bitten",
    noScope: "zu wissen, wer sich anmeldet, sonst nichts",
  },
};
