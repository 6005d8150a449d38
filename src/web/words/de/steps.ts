import type { Words } from "../words.ts";

/** What to begin with: three things for whoever set the community up, three for everybody who is new. */
export const steps: Words["steps"] = {
  title: "Erste Schritte",
  away: "Nicht mehr zeigen",
  done: "(erledigt)",
  so: (done, all) => `${done} von ${all}`,
  of: {
    community: "Sag, was diese Community ist",
    invite: "Lade jemanden ein",
    post: "Veröffentliche einen ersten Beitrag",
    profile: "Zeig, wer du bist",
    welcome: "Lies, wie es hier zugeht",
    hello: "Sag hallo",
  },
};
