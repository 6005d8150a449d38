import { type AnyEventType, CATALOGUE, EXAMPLE, type EventData } from "./catalogue.ts";

/**
 * Every identifier in a test's payload ends in it: the nil UUID, which nothing ever has. So a receiver can
 * tell a test by what is signed, and the envelope stays as it is shown (docs/contract.md#6.9).
 */
export const NIL_UUID = "0".repeat(EXAMPLE.length);

/**
 * A payload of a type about nothing that exists: the catalogue's own example, with the addresses of this
 * place.
 */
export function testDataOf<Type extends AnyEventType>(type: Type, origin: string): EventData[Type] {
  const text = JSON.stringify(CATALOGUE[type].example);
  return JSON.parse(text.replaceAll(EXAMPLE, NIL_UUID).replaceAll("https://guild.example", origin));
}
