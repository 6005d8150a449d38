import { type Params, say } from "../../../core/base/refusals/sentence.ts";
import type { Sentence } from "../sentence.ts";
import { counted, number } from "./forms.ts";

/** What a sentence is told under that name; throws where it is no number. */
export function numberIn(told: Params, name: string): number {
  const value = told[name];
  if (typeof value !== "number") throw new Error(`A sentence is not told its ${name}`);
  return value;
}

/** The sentence, and how long to wait. */
export function waiting(sentence: Sentence): (told: Params) => string {
  return (told) => {
    const why = typeof sentence === "function" ? sentence(told) : say(sentence, told, number);
    return `${why}; espera ${lasting(numberIn(told, "seconds"))} e inténtalo de nuevo.`;
  };
}

/** At least so many seconds, in the unit that says it best. */
export function lasting(seconds: number): string {
  if (seconds < 120) return counted(seconds, "segundo", "segundos");
  if (seconds < 7_200) return counted(Math.ceil(seconds / 60), "minuto", "minutos");
  if (seconds < 172_800) return counted(Math.ceil(seconds / 3_600), "hora", "horas");
  return counted(Math.ceil(seconds / 86_400), "día", "días");
}
