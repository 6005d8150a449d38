/**
 * Who asks to be let in (docs/contract.md#9.16): nobody's builder yet, and so nobody to any other room. What
 * they do and what is done with them stands in `applications`; here is what builders have to know: that a
 * username waits.
 */
export {
  type ApplicationRow,
  type ApplicationState,
  countApplications,
  deleteApplication,
  findApplicant,
  findApplication,
  findByMailHash,
  findEndFrom,
  findByApplicationSecret,
  insertApplication,
  patchApplication,
  selectEnded,
  selectSpent,
  selectWaiting,
} from "./applicants-store.ts";
