import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";

/** Whether a value is valid, and what the message about a value that is not says: "<name> must <requirement>." */
export type Rule = readonly [isValid: (value: unknown) => boolean, requirement: string];

/** The rule of an option that may be omitted. One that is undefined counts as omitted. */
export function optional(isValid: (value: never) => boolean, requirement: string): Rule {
  // Each check accepts a value of any type, and declares the type that it is for.
  return [(value) => value === undefined || isValid(value as never), requirement];
}

/** The rule of a string. */
export function matching(pattern: RegExp, requirement: string): Rule {
  return optional((value: unknown) => typeof value === "string" && pattern.test(value), requirement);
}

/** A `Headers` object, `URLSearchParams` or an array of pairs has no property for each of its values, so they would be ignored. */
export const plainObject: Rule = optional(
  (value: object) => Object(value) === value && !(Symbol.iterator in value),
  "be a plain object",
);

/** @throws InvalidArgumentError if an option is unknown or not valid. No message contains a value. */
export function checkOptions(options: object, rules: Readonly<Record<string, Rule>>): void {
  for (const [name, value] of Object.entries<unknown>(Object(options))) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined && value !== undefined) {
      throw new InvalidArgumentError(`${name} is not an option. The options are ${Object.keys(rules).join(", ")}.`);
    }
    if (rule?.[0](value) === false) throw new InvalidArgumentError(`${name} must ${rule[1]}.`);
  }
}
