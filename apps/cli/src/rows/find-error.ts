import { isObject } from "./parse-json.ts";

/** Longer texts of errors, such as a page of HTML, are cut. */
const maxLength = 200;

/**
 * Finds the text of an error that a service answered with instead of its websites: in `message`, `error`,
 * `error.message` or, as this service answers, `detail`.
 *
 * @returns the text in quotes; undefined if the answer has none, or has an array
 */
export function findError(answer: unknown): string | undefined {
  // An object with an array is a list of something, which can have a message too.
  if (!isObject(answer) || Object.values(answer).some(Array.isArray)) return undefined;
  const { detail, message, error } = answer;
  const nested = isObject(error) ? error["message"] : error;
  const text = [detail, message, nested].find((value) => typeof value === "string" && value.trim() !== "");
  return text === undefined ? undefined : JSON.stringify(String(text).trim().slice(0, maxLength));
}
