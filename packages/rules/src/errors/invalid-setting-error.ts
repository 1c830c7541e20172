import type { RuleOptions, RuleSettings } from "../rules.ts";

/**
 * Settings that no record of the service contains, or an unknown option. The message names the field, says what is wrong, and what to
 * send instead.
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
  /** The field of the website, or the option, that is not valid. */
  readonly field: keyof RuleSettings | keyof RuleOptions;

  /** @internal */
  constructor(field: keyof RuleSettings | keyof RuleOptions, fault: string) {
    super(`${field} ${fault}.`);
    this.field = field;
  }
}
