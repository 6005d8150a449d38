import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  type GraphQLError,
  type GraphQLSchema,
  OperationTypeNode,
  validateExecutionArgs,
  type ValidatedExecutionArgs,
  type ValidatedSubscriptionArgs,
  validateSubscriptionArgs,
} from "graphql";
import type { Plugin } from "graphql-yoga";
import { refuse } from "../core/base/errors.ts";
import type { Listeners } from "../http/listeners.ts";
import type { GraphContext } from "./context.ts";
import { type Documents, withoutSchemaNames } from "./documents.ts";
import { createExecution } from "./execution.ts";
import { LIMITS } from "./limits.ts";
import { listen } from "./subscribe.ts";
import { createCostCharging } from "./cost-charging.ts";
import { rejectRequest } from "./refusal.ts";
import { JSON_TYPE, refusedAs, RESPONSE_TYPE } from "./request.ts";
import type { GraphRules } from "./rules.ts";
import type { ShareSubscription } from "./subscription-cache.ts";

const COERCION_ERRORS_MAX = 5;

/**
 * Yoga plugin that runs our steps in this order. A request that a step refuses does not reach the next step.
 * 1. Parse the document within its limits.
 * 2. Check the method and the media type.
 * 3. Validate the document and coerce its variables.
 * 4. Charge the cost.
 * 5. Run the operation.
 */
export function pipeline(
  schema: GraphQLSchema,
  rules: GraphRules,
  documents: Documents,
  listeners: Listeners,
  share: ShareSubscription,
): Plugin<GraphContext> {
  const pay = createCostCharging(schema);
  const run = createExecution(schema);

  return {
    onParse({ context, setParseFn }) {
      setParseFn((text: string) => documents.parse(text));
      return ({ result }) => {
        if (!(result instanceof Error)) rejectRequest(() => admit(context, result as DocumentNode));
      };
    },
    onValidate({ params, setValidationFn }) {
      setValidationFn(() => documents.validate(params.documentAST));
    },
    onExecute({ args, context, setExecuteFn, setResultAndStopExecution }) {
      const valid = validateExecutionArgs(withRules(args));
      const errors = "operation" in valid ? pay(context, valid, LIMITS.cost) : withoutSchemaDetails(valid);
      if (errors) setResultAndStopExecution({ errors });
      else setExecuteFn(() => run(context, valid as ValidatedExecutionArgs));
    },
    onSubscribe({ args, context, setSubscribeFn, setResultAndStopExecution }) {
      const valid = validateSubscriptionArgs(withRules(args));
      const errors =
        "operation" in valid ? pay(context, valid, LIMITS.subscriptionCost) : withoutSchemaDetails(valid);
      if (errors) setResultAndStopExecution({ errors });
      else setSubscribeFn(() => listen(listeners, share, context, valid as ValidatedSubscriptionArgs));
    },
  };

  function withRules(args: ExecutionArgs): ExecutionArgs {
    return {
      ...args,
      hideSuggestions: !rules.introspection,
      options: { maxCoercionErrors: COERCION_ERRORS_MAX },
    };
  }

  /** Hides schema names in variable errors if introspection is off. */
  function withoutSchemaDetails(errors: readonly GraphQLError[]): readonly GraphQLError[] {
    return rules.introspection ? errors : [withoutSchemaNames(errors)];
  }
}

/**
 * Checks the operation type against the method and the accepted media types (GraphQL over HTTP §5, §6). If a
 * client accepts only event streams, queries and mutations are also answered as events (GraphQL over SSE).
 */
function admit({ http, accepts, operationName, operation }: GraphContext, document: DocumentNode): void {
  const kind = getOperationAST(document, operationName)?.operation;
  if (kind === OperationTypeNode.MUTATION && http.method === "GET")
    throw refusedAs(405, refuse("mutation_by_get"), "POST");
  if (kind) http.route = kind;
  http.isRead = kind === OperationTypeNode.QUERY;
  if (operation || accepts.stream) return;
  if (kind === OperationTypeNode.SUBSCRIPTION) throw refusedAs(406, refuse("subscription_is_stream"));
  if (accepts.json === undefined)
    throw refusedAs(406, refuse("answer_type_unknown", { types: [RESPONSE_TYPE, JSON_TYPE] }));
}
