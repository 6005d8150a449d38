// Written by `bun run generate` from the files of this folder.
import type { Operation } from "./operation.ts";
import { feedOperations } from "./feed.ts";
import { mediaOperations } from "./media.ts";
import { followingOperations } from "./following.ts";
import { jobOperations } from "./jobs.ts";
import { jobFilterOperations } from "./saved-filters.ts";
import { promptOperations } from "./prompts.ts";
import { profileOperations } from "./profiles.ts";
import { projectOperations } from "./projects.ts";
import { messageOperations } from "./messages.ts";
import { notificationOperations } from "./notifications.ts";
import { searchOperations } from "./search.ts";
import { moderationOperations } from "./moderation.ts";
import { webhookOperations } from "./webhooks.ts";
import { deliveryOperations } from "./deliveries.ts";
import { eventOperations } from "./events.ts";

/** The whole product, operation by operation, in the order of the guide's parts. */
export const OPERATIONS: readonly Operation[] = [
  feedOperations,
  mediaOperations,
  followingOperations,
  jobOperations,
  jobFilterOperations,
  promptOperations,
  profileOperations,
  projectOperations,
  messageOperations,
  notificationOperations,
  searchOperations,
  moderationOperations,
  webhookOperations,
  deliveryOperations,
  eventOperations,
].flatMap((area) => Object.values<Operation>(area));
