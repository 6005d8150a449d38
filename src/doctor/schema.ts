import type { Finding } from "../core/across/checkup/checkup.ts";
import { SCHEMA_VERSION } from "../core/ground/db/migrate.ts";
import { lookAtGround } from "../ground.ts";
import type { Patient } from "./patient.ts";

/** Whether the database opens with the key that is there, and is of this program's version. */
export function lookAtSchema({ config }: Patient): Finding[] {
  const { version } = lookAtGround(config);
  if (version === SCHEMA_VERSION)
    return [
      { check: "schema", severity: "ok", says: `the database is of this program's version (${version})` },
    ];
  return [
    {
      check: "schema",
      severity: "severe",
      says: `the database is an older Guildhall's (schema ${version}, this program works with ${SCHEMA_VERSION})`,
      mend: "stop the server that works on it, then guildhall migrate",
    },
  ];
}
