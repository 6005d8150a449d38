import { type AnyEventType, CATALOGUE, EXAMPLE, type EventData } from "./catalogue.ts";

/**
 * The end of every identifier in a test payload. No real object has the nil UUID, so a receiver can recognize
 * a test from the signed body (docs/contract.md#6.9).
 */
export const NIL_UUID = "0".repeat(EXAMPLE.length);

/** Returns a test payload: the example of the catalogue, with URLs of this server. */
export function testDataOf<Type extends AnyEventType>(type: Type, origin: string): EventData[Type] {
  const text = JSON.stringify(CATALOGUE[type].example);
  return JSON.parse(text.replaceAll(EXAMPLE, NIL_UUID).replaceAll("https://guild.example", origin));
}
