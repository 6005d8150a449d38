export { type CaseCause, closeCase, openCase, versionOf } from "../../community/reports/cases.ts";
