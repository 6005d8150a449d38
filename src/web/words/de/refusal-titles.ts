import type { Words } from "../words.ts";

/** For what the core says to programs alone. */
export const neutral: Words["refusals"]["neutral"] = {
  bad_request: "Was ankam, ließ sich nicht lesen. Geh zurück, lade die Seite neu und versuch es noch einmal.",
  unauthorized: "Melde dich an und versuch es noch einmal.",
  forbidden: "Das darfst du nicht.",
  not_found: "Das ist nicht hier, oder nicht mehr.",
  conflict: "Das passt nicht zu dem, was schon hier ist.",
  precondition_failed: "Es hat sich geändert, seit du es angesehen hast. Lade die Seite neu.",
  unprocessable: "So, wie es gewünscht war, geht es nicht.",
  rate_limited: "Warte einen Moment und versuch es noch einmal.",
  server_error: "Bei uns ist etwas schiefgegangen. Versuch es gleich noch einmal.",
  unavailable: "Hier ist einen Moment geschlossen. Versuch es bald noch einmal.",
};
