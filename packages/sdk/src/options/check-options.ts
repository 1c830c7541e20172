import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";

/**
 * Whether a value is valid, and what the message about a value that is not says: "<name> must <requirement>." An option that is
 * undefined counts as omitted, unless it is required.
 */
export type Rule = readonly [isValid: (value: never) => boolean, requirement: string, isRequired?: boolean];

/** The rule of an object with named members. A `Headers`, a `Map` or an array has no property for each of its items. */
export const plainObject: Rule = [
  (value: object) => Object(value) === value && !(Symbol.iterator in value),
  "be a plain object",
];

/** The rule of a string. */
export function matching(pattern: RegExp, requirement: string): Rule {
  return [(value: unknown) => typeof value === "string" && pattern.test(value), requirement];
}

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
