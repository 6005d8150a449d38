import type { Text } from "./runtime.ts";

/** A message whose parameters are known while the program runs alone, as those of a code of the core. */
export type Message = string | ((params: never) => string);

/** The message with its parameters; it may use fewer. Throws where one that it uses is missing. */
export function formatMessage(message: Message, params: Readonly<Record<string, Text>> = {}): string {
  return typeof message === "string" ? message : message(params as never);
}
