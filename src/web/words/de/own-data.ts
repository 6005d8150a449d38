import type { Words } from "../words.ts";

/** The texts that lie in the archive of what is somebody's own, in plain text of 120 columns. */
export const ownData: Words["ownData"] = {
  readme: (username, origin, at) => `Was @${username} auf ${origin} gehört, Stand ${at}.

Jede .ndjson-Datei enthält eine Art von Dingen, eines je Zeile, als JSON; was die Felder bedeuten, steht in schemas/
(JSON Schema). Zeiten sind UTC. Eine Datei ohne Zeile heißt, dass du davon nichts hast.

  builders           dein Profil                       posts              deine Beiträge und Antworten
  likes              was du magst                      prompts            deine Prompts, mit ihren Versionen daneben
  jobs, job_filters  deine Stellen, deine Suchen       projects           deine Projekte
  threads, messages  deine Gespräche, beide Seiten     blocks             wen du blockiert hast
  xp_entries         woher deine Punkte kommen         streaks            deine Tage in Folge
  workspaces, apps, grants, tokens, webhook_endpoints  was für dich handeln darf, ohne die Geheimnisse
  audit_entries      was mit deinem Konto geschah      people             wer im Übrigen vorkommt, nach id

Nicht dabei: Passwörter, Passkeys, Sitzungen, die Geheimnisse von Token, Apps und Endpunkten, und was allein anderen
gehört, etwa wer deine Beiträge mag. Was sich während des Schreibens geändert hat, kann darin stehen oder nicht.
`,
  incomplete: `Hier endet dieses Archiv: Dir gehört mehr, als in eines passt. Wer die Community leitet, kann dir
einen Export deines Kontos machen (guildhall export --builder); der ist nicht begrenzt.
`,
};
