import type { Words } from "../words.ts";

/** What reaches members who are not here: pushes, mails, feeds. */
export const reach: Words["reach"] = {
  part: {
    title: "Was dich anderswo erreicht",
    hint: "[Browser, die Bescheid bekommen](/settings/browsers), [E-Mail](/settings/mail) und [ein eigener Feed](/settings/feed).",
  },
  browsers: {
    title: "Browser",
    lead: "Ein Browser, den du auswählst, zeigt deine Mitteilungen auch, wenn keine Seite offen ist. Meldest du dich darin ab, hört das auf.",
    this: "Dieser Browser",
    button: "Diesen Browser benachrichtigen",
    already: "Dieser Browser wird benachrichtigt.",
    needsScript: "Dafür braucht es einen Browser, der Skripte ausführt und Web Push kennt.",
    denied:
      "Der Browser lässt diese Seite keine Mitteilungen zeigen; erlaube es zuerst in seinen Einstellungen.",
    failed: "Der Push-Dienst des Browsers hat nicht geantwortet. Versuch es gleich noch einmal.",
    list: "Browser, die benachrichtigt werden",
    none: "Noch keiner",
    noneHint: "Mitteilungen warten auf ihrer Seite auf dich.",
    current: "Dieser hier",
    added: "Hinzugefügt {when}",
    reached: "zuletzt erreicht {when}",
    neverReached: "noch nicht erreicht",
    stop: "Beenden",
    stopOf: (agent) => `${agent} nicht mehr benachrichtigen`,
  },
  inviting: {
    address: "Gleich verschicken an (wenn du magst)",
    hint: "Eine E-Mail-Adresse. Sie wird vergessen, sobald die E-Mail unterwegs ist.",
    sent: "Die Einladung geht auch per E-Mail an {address}.",
  },
  mail: {
    title: "E-Mail",
    lead: "Wo du E-Mails liest und was dorthin kommt. Die Adresse sieht niemand sonst.",
    none: "Diese Community verschickt keine E-Mails.",
    address: "Deine Adresse",
    goes: "E-Mails gehen an {address}.",
    recoversLater:
      "Mit dieser Adresse kannst du dein Konto {when} wiederherstellen. Bis dahin könnte eine neue Adresse jemand anderem gehören.",
    former:
      "Sicherheitshinweise gehen noch an die vorige Adresse, die letzten {when}. Liest dort jemand anderes mit, [sichere dein Konto ab](/settings/account/secure).",
    pending: "Ein Link ging an {address}; öffne ihn innerhalb eines Tages, um die Adresse zu bestätigen.",
    bounced: {
      title: "E-Mails an {address} wurden {when} abgelehnt.",
      effect:
        "Der Mailserver nimmt für diese Adresse keine E-Mails an. Mitteilungen und Zusammenfassungen gehen im Moment nicht dorthin. Bei wichtigen E-Mails zu deinem Konto, etwa einem Link zur Wiederherstellung, wird es weiter versucht.",
      steps:
        "Korrigiere die Adresse unten. Wenn das Postfach wieder funktioniert, lass dir den Link an dieselbe Adresse schicken und öffne ihn.",
      again: "Link erneut schicken",
    },
    new: "Neue Adresse",
    set: "Link schicken",
    remove: "Nichts mehr dorthin schicken",
    choice: "Was von deinen Mitteilungen kommt",
    choices: {
      at_once: "Jede sofort",
      daily: "Einmal am Tag, gegen acht Uhr morgens",
      weekly: "Einmal in der Woche, montags gegen acht Uhr morgens",
      off: "Nichts",
    },
    choiceHint:
      "Von den Arten, bei denen du E-Mail gewählt hast. Morgens heißt: in deiner [Zeitzone](/settings/account#language).",
    save: "Speichern",
    confirmTitle: "Adresse bestätigen",
    confirmLead: "E-Mails für @{username} gehen ab jetzt an {address}.",
    answerLead: "Die Antwort an @{username} geht an {address}.",
    answerConfirmed: "Die Antwort geht dorthin. Du kannst diese Seite schließen.",
    confirm: "Bestätigen",
    confirmed: "E-Mails deines Kontos gehen ab jetzt dorthin. Du kannst diese Seite schließen.",
    endTitle: "Diese E-Mails beenden",
    endLead:
      "Danach kommt keine E-Mail über Mitteilungen mehr zu dir. Auf ihrer Seite warten sie weiter auf dich.",
    end: "Beenden",
    ended: "Es kommt keine E-Mail über Mitteilungen mehr zu dir.",
    forgot:
      "Oder lass dir [einen Link per E-Mail schicken](/recover/mail), wenn dein Konto eine Adresse hat.",
    recoverTitle: "Zurück ins Konto",
    recoverLead:
      "Hat dein Konto eine bestätigte E-Mail-Adresse, kommt dorthin ein Link, mit dem du ein neues Passwort setzt.",
    who: "Benutzername oder E-Mail-Adresse",
    recover: "Link schicken",
    recovered:
      "Gibt es ein solches Konto mit bestätigter Adresse, ist ein Link unterwegs. Er gilt eine Stunde lang. An eine Adresse, die vor weniger als 24 Stunden hinzukam, geht kein Link.",
  },
  feed: {
    title: "Ein eigener Feed",
    lead: "Was du erfährst, und was die veröffentlichen, denen du folgst, in einem Feedreader. Von deinem Konto selbst steht nichts darin.",
    none: "Er hat noch keine Adresse.",
    address: "Seine Adresse",
    keep: "Wer sie hat, liest, was du erfährst: Gib sie nur deinem Feedreader. Könnte sie jemand anderes kennen, erstelle eine neue.",
    make: "Adresse erstellen",
    renew: "Neue Adresse erstellen",
    end: "Adresse wegnehmen",
    feedTitle: (community, username) => `${community}: @${username}`,
    posted: (name, title) => `${name}: ${title}`,
  },
  push: {
    greeting: "Dieser Browser erfährt ab jetzt von deinen Mitteilungen.",
  },
};
