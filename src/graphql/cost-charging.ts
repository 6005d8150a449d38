import type {
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
  ValidatedExecutionArgs,
  ValidatedSubscriptionArgs,
} from "graphql";
import type { GraphContext } from "./context.ts";
import { hasExpensiveFields, type Cost, costOf, LIMITS, tooExpensive } from "./limits.ts";
import { refuseWhole } from "./refusal.ts";

/**
 * One request takes a token of the caller's bucket for each hundred of its cost, at least one
 * (docs/contract.md#8.13).
 */
const COST_OF_A_TOKEN = 100;

/** Charges the cost of an operation to the caller's bucket. */
export type ChargeCost = (
  context: GraphContext,
  args: ValidatedExecutionArgs | ValidatedSubscriptionArgs,
  most: number,
) => readonly GraphQLError[] | undefined;

/**
 * Counts what an operation costs and takes it from the caller's bucket. Throws rate_limited; gives the
 * refusal of what is too expensive.
 */
export function createCostCharging(schema: GraphQLSchema): ChargeCost {
  /** Documents are kept, and with them what they cost. */
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
    // The first token was taken at the transport.
    const rest = Math.max(1, Math.ceil(cost / COST_OF_A_TOKEN)) - 1;
    context.allowance = refuseWhole(() => context.http.charge(rest));
    return undefined;
  };
}
