import { setUpError } from "../state/set-up-error.ts";

/**
 * Checks that an object has only known members, so that a mistyped one is not ignored.
 *
 * @param name what the object is passed to, such as `failNext`
 */
export function checkKnown(options: object, known: readonly string[], name: string): void {
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) throw setUpError(`${name} has no option "${unknown}". It has: ${known.join(", ")}.`);
}
