import {
  appeal,
  AppealAnswer,
  AppealDraft,
  AppealFilter,
  decideAppeal,
  listAppeals,
  listOwnDecisions,
  OwnDecisionView,
} from "../core/services/moderation/appeals.ts";
import { DecisionView } from "../core/services/moderation/decisions.ts";
import { area, list, write } from "./operation.ts";
import { A_DECISION, STAFF } from "./staff.ts";

export const appealOperations = area("Moderation", {
  listOwnDecisions: list({
    route: "GET /profiles/me/decisions",
    summary: "List the decisions about you",
    description:
      "Returns the decisions that limit you, newest first, with the reason and your appeal. It does not say who decided.",
    scope: "profile:read",
    view: OwnDecisionView,
    page: "OwnDecisionPage",
    responseDescription: "One page of decisions",
    run: ({ core, caller, page }) => listOwnDecisions(core, caller, page),
  }),
  appealDecision: write({
    route: "POST /profiles/me/decisions/{id}/appeal",
    summary: "Appeal against a decision",
    description: "You can appeal once against each decision that limits you. A moderator answers.",
    restDescription: "Returns 409 for a second appeal, and for a decision that was undone.",
    scope: "profile:write",
    effect: "changes",
    param: A_DECISION,
    draft: AppealDraft,
    view: OwnDecisionView,
    responseDescription: "The decision with your appeal",
    refusals: [409],
    run: ({ core, caller, id, draft }) => appeal(core, caller, id, draft),
  }),
  listAppeals: list({
    route: "GET /appeals",
    summary: "List appeals",
    description:
      "Returns the decisions with appeals. Waiting appeals come in the order of their arrival. Of decided appeals, the last decided comes first.",
    ...STAFF,
    filter: AppealFilter,
    view: DecisionView,
    page: "DecisionPage",
    responseDescription: "One page of decisions with appeals",
    run: ({ core, caller, filter, page }) => listAppeals(core, caller, filter, page),
  }),
  decideAppeal: write({
    route: "PUT /decisions/{id}/appeal/answer",
    summary: "Answer an appeal",
    description:
      "The member is notified of the answer, which is final. A granted appeal undoes the decision. The moderator who made the decision cannot answer while another one can.",
    restDescription: "Returns 409 if the appeal was answered before.",
    ...STAFF,
    effect: "changes",
    param: A_DECISION,
    draft: AppealAnswer,
    view: DecisionView,
    responseDescription: "The decision with the answer",
    refusals: [409],
    run: ({ core, caller, id, draft }) => decideAppeal(core, caller, id, draft),
  }),
});
