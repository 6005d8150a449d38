import type { Words } from "../words.ts";

/** The texts that lie in the archive of what is somebody's own, in plain text of 120 columns. */
export const ownData: Words["ownData"] = {
  readme: (
    username: string,
    origin: string,
    at: string,
  ) => `Lo que es de @${username} en ${origin}, a fecha de ${at}.

Cada archivo .ndjson es un tipo de cosa, una por línea, en JSON; schemas/ dice cuáles son sus campos (JSON Schema). Las
horas son UTC. Los archivos sin ninguna línea son de aquello que no tienes.

  builders           tu perfil                         posts              tus publicaciones y respuestas
  likes              lo que te gusta                   prompts            tus prompts, con sus versiones al lado
  jobs, job_filters  lo que publicaste, lo que buscas  projects           tus proyectos
  threads, messages  tus conversaciones, enteras       blocks             a quién bloqueaste
  xp_entries         por qué tienes tus puntos         streaks            tus días seguidos
  workspaces, apps, grants, tokens, webhook_endpoints  lo que puede actuar en tu nombre, sin ningún secreto
  audit_entries      lo que ocurrió con tu cuenta      people             a quién se nombra en el resto, por id

No se incluyen las contraseñas, las llaves de acceso, las sesiones, los secretos de tokens, apps y webhooks, ni lo que
es solo de otras personas, como a quién le gustan tus publicaciones. Lo que cambió mientras esto se escribía puede estar
o no estar.
`,
  incomplete: `Este archivo termina aquí: lo tuyo es más de lo que cabe en uno. Pide a quien opera la comunidad una
exportación de tu cuenta (guildhall export --builder); esa no tiene este límite.
`,
};
