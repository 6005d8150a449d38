import type { Words } from "../words.ts";

/** What to begin with: three things for whoever set the community up, three for everybody who is new. */
export const steps: Words["steps"] = {
  title: "Primeros pasos",
  away: "No mostrar más",
  done: "(hecho)",
  so: (done, all) => `${done} de ${all}`,
  of: {
    community: "Cuenta qué es esta comunidad",
    invite: "Invita a alguien",
    post: "Publica algo por primera vez",
    profile: "Muestra quién eres",
    welcome: "Lee cómo se convive aquí",
    hello: "Saluda",
  },
};
