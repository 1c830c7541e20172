import { setUpError } from "./set-up-error.ts";

/**
 * Checks that a test passes an object which has only known members, so that a mistyped one is not ignored.
 *
 * @param functionName the function that the test called, such as `failNext`
 * @param name what the object is called in its documentation
 */
export function checkKnown(
  options: object,
  known: readonly string[],
  functionName: string,
  name = "the options",
): void {
  checkObject(options, functionName, name);
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw setUpError(functionName, `${name} cannot have "${unknown}". Use only: ${known.join(", ")}.`);
}

/** A program without types may pass anything. */
export function checkObject(value: unknown, functionName: string, name: string): void {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
  throw setUpError(functionName, `${name} must be an object.`);
}
