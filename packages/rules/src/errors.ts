import type { Visit } from "./rules.ts";

/**
 * Settings that no record of the service contains, or an unknown option. The message names the field, says what is
 * wrong, and what to send instead.
 *
 * @example
 * try {
 *   compileRules({ ...website, exclude_ips: ["203.0.113.0/33"] });
 * } catch (error) {
 *   if (error instanceof InvalidSettingError) console.log(error.field, error.message);
 * }
 */
export class InvalidSettingError extends Error {
  override readonly name = "InvalidSettingError" as const;
  /** The field of the website, or the option, that is not valid. `website` or `options` if that is not an object. */
  readonly field: string;

  /** @internal */
  constructor(field: string, fault: string) {
    super(`${field} ${fault}.`);
    this.field = field;
  }
}

/**
 * A visit that cannot be judged. The message names the field, says what is wrong, and what to send instead. It contains
 * no value of the visit, since an address and a URL can be personal data.
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

/**
 * Returns a string that a client chose as printable ASCII without quotation marks, cut to a length: others are written
 * as numbers, so that a header, a log or a terminal can contain it.
 */
export function printable(text: string, maxLength: number): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
  return shown.replace(/[^ !#-[\]-~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
