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

/** A request takes one rate limit token per hundred cost units, and at least one (docs/contract.md#8.13). */
const COST_OF_A_TOKEN = 100;

/** Charges the cost of an operation to the caller's rate limit. */
export type ChargeCost = (
  context: GraphContext,
  args: ValidatedExecutionArgs | ValidatedSubscriptionArgs,
  most: number,
) => readonly GraphQLError[] | undefined;

/**
 * Creates a function that computes the cost of an operation and charges the caller. The function throws
 * rate_limited if the caller has too few tokens. It returns an error if the operation is too expensive.
 */
export function createCostCharging(schema: GraphQLSchema): ChargeCost {
  /** Cached costs. An entry lives as long as its document. */
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
    // The transport has already charged the first rate limit token.
    const tokens = Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1;
    context.allowance = rejectRequest(() => context.http.charge(tokens));
    return undefined;
  };
}
