import { deliveryOperations } from "./deliveries.ts";
import { eventOperations } from "./events.ts";
import { feedOperations } from "./feed.ts";
import { jobFilterOperations } from "./job-filters.ts";
import { jobOperations } from "./jobs.ts";
import { messageOperations } from "./messages.ts";
import { moderationOperations } from "./moderation.ts";
import type { Operation } from "./operation.ts";
import { profileOperations } from "./profiles.ts";
import { projectOperations } from "./projects.ts";
import { promptOperations } from "./prompts.ts";
import { webhookOperations } from "./webhooks.ts";

/** The whole product, operation by operation, in the order in which it is documented. */
export const OPERATIONS: readonly Operation[] = [
  feedOperations,
  jobOperations,
  jobFilterOperations,
  promptOperations,
  profileOperations,
  projectOperations,
  messageOperations,
  moderationOperations,
  webhookOperations,
  deliveryOperations,
  eventOperations,
].flatMap((area) => Object.values<Operation>(area));
