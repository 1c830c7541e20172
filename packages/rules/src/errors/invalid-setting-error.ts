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
  /** The field of the website, or the option, that is not valid. `website` or `options` if that is not an object. */
  readonly field: string;

  /** @internal */
  constructor(field: string, fault: string) {
    super(`${field} ${fault}.`);
    this.field = field;
  }
}
