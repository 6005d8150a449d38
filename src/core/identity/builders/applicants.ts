/**
 * The part of join requests that builders need: usernames that applicants have reserved
 * (docs/contract.md#9.16). An applicant is not a builder. The operations are in `applications`.
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
