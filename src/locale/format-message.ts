import type { Text } from "./runtime.ts";

/** A message whose parameters are known only at run time, such as the message of an error code. */
export type Message = string | ((params: never) => string);

/** Formats a message. Extra parameters are ignored. Throws TypeError if a parameter is missing. */
export function formatMessage(message: Message, params: Readonly<Record<string, Text>> = {}): string {
  return typeof message === "string" ? message : message(params as never);
}
