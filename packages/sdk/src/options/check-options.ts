import { InvalidArgumentError } from "../errors/siteward-error.ts";

/**
 * Whether a value is valid, and what the message says: "<name> must <requirement>." Undefined counts as omitted, unless
 * it is required.
 */
export type Rule = readonly [isValid: (value: never) => boolean, requirement: string, isRequired?: boolean];

/** The rule of an object with named members. A `Headers`, a `Map` or an array has no property for each of its items. */
export const plainObject: Rule = [
  (value: object) => Object(value) === value && !(Symbol.iterator in value),
  "be a plain object",
];

/** The rule of a string. */
export function matching(pattern: Pick<RegExp, "test">, requirement: string): Rule {
  return [(value: unknown) => typeof value === "string" && pattern.test(value), requirement];
}

/** The rule of a whole number. */
export function wholeNumber(
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
  requirement = `be a whole number of at least ${least}`,
): Rule {
  return [(value: number) => Number.isInteger(value) && value >= least && value <= most, requirement];
}

/** The longest wait that the timers of every runtime accept: about 24 days. */
export const maxTimeoutMs = 2_147_483_647;

/** The rules of the options that both the client and a call accept. */
export const commonRules: Readonly<Record<"timeoutMs" | "maxRetries", Rule>> = {
  timeoutMs: wholeNumber(1, maxTimeoutMs, `be a whole number of milliseconds from 1 to ${maxTimeoutMs}`),
  maxRetries: wholeNumber(0),
};

/** @throws InvalidArgumentError if the value is not valid. The message does not contain it. */
export function check(name: string, value: unknown, [isValid, requirement]: Rule): void {
  // Each rule accepts a value of any type, and declares the type that it is for.
  if (!isValid(value as never)) throw new InvalidArgumentError(`${name} must ${requirement}.`);
}

/** @throws InvalidArgumentError if an option is unknown or not valid. No message contains a value. */
export function checkOptions(options: object, rules: Readonly<Record<string, Rule>>): void {
  check("options", options, plainObject);
  for (const [name, value] of Object.entries<unknown>({ ...options })) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (value === undefined && !rule?.[2]) continue;
    if (rule === undefined) {
      throw new InvalidArgumentError(`${name} is not an option. The options are ${Object.keys(rules).join(", ")}.`);
    }
    check(name, value, rule);
  }
}

/** Header values by name. A header whose value is undefined is not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/**
 * Returns the headers that are sent, with their names in small letters.
 *
 * @throws InvalidArgumentError if HTTP does not allow a name or a value
 */
export function readHeaders(values: HeaderValues = {}): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    try {
      new Headers([[name, value]]);
    } catch {
      // The runtime's own message quotes the value, which may be a secret.
      throw new InvalidArgumentError(`headers: ${JSON.stringify(name)} has a name or value that is not valid in HTTP.`);
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
