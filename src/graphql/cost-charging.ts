import type {
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
  ValidatedExecutionArgs,
  ValidatedSubscriptionArgs,
} from "graphql";
import type { GraphContext } from "./context.ts";
import { hasExpensiveFields, type Cost, costOf, LIMITS, tooExpensive } from "./limits.ts";
import { rejectRequest } from "./refusal.ts";

/**
 * Cost units per rate limit token. A request takes one token per hundred cost units, and at least one token
 * (docs/contract.md#8.13).
 */
const COST_OF_A_TOKEN = 100;

/** Charges the cost of an operation to the caller's rate limit. */
export type ChargeCost = (
  context: GraphContext,
  args: ValidatedExecutionArgs | ValidatedSubscriptionArgs,
  most: number,
) => readonly GraphQLError[] | undefined;

/**
 * Creates a function that computes the cost of an operation and charges the caller. The function returns an
 * error if the operation is too expensive. It throws rate_limited if the caller has too few rate limit
 * tokens.
 */
export function createCostCharging(schema: GraphQLSchema): ChargeCost {
  /** Costs by operation. An entry is kept as long as its document. */
  const costs = new WeakMap<OperationDefinitionNode, { of: Cost; isWork: boolean }>();

  return (context, { document, operation, variableValues }, most) => {
    const counted = costs.get(operation) ?? {
      of: costOf(schema, document, operation),
      isWork: hasExpensiveFields(document),
    };
    costs.set(operation, counted);
    const cost = counted.of(variableValues.coerced);
    if (cost > most) {
      return [tooExpensive(cost, most)];
    }
    context.cost = cost;
    context.size.isExpensive = cost > LIMITS.queueCost || counted.isWork;
    // The first token is subtracted, because the transport has already charged it.
    const tokens = Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1;
    context.allowance = rejectRequest(() => context.http.charge(tokens));
    return undefined;
  };
}
