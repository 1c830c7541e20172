import type { Visit } from "../rules.ts";

/**
 * A visit that cannot be judged. The message names the field, says what is wrong, and what to send instead. It contains no value of
 * the visit, since an address and a URL can be personal data.
 *
 * @example
 * try {
 *   compileRules(website).judge({ url: "/pricing" });
 * } catch (error) {
 *   if (error instanceof InvalidVisitError) console.log(error.field, error.message);
 * }
 */
export class InvalidVisitError extends Error {
  override readonly name = "InvalidVisitError" as const;
  /** The field of the visit that is malformed or missing. */
  readonly field: keyof Visit;

  /** @internal */
  constructor(field: keyof Visit, fault: string) {
    super(`${field} ${fault}.`);
    this.field = field;
  }
}
