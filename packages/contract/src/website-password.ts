import { countCharacters, unpairedSurrogate } from "./grammars/characters.ts";
import { Privacy } from "./website-fields.ts";

/** Bounds of a website's password, in characters (Unicode code points). */
export const passwordLength = { min: 8, max: 256 } as const;

/**
 * Checks the length of a password, and that it is valid Unicode: unpaired surrogates would all have one hash.
 *
 * @returns what is wrong with the field `password`, without the password itself, or undefined
 */
export function findPasswordTextFault(text: string): string | undefined {
  if (unpairedSurrogate.pattern.test(text)) return unpairedSurrogate.reason;
  const length = countCharacters(text);
  if (length >= passwordLength.min && length <= passwordLength.max) return undefined;
  return `is ${length} characters long; send ${passwordLength.min} to ${passwordLength.max} characters`;
}

/**
 * Checks a password against the resulting privacy: it is required for 2 if none is stored, and allowed for 2 only.
 * Otherwise a user could believe that a page is protected when it is not.
 *
 * @returns what is wrong with the field `password`, or undefined
 */
export function findPasswordFault(resulting: {
  readonly privacy: Privacy;
  readonly password?: string | undefined;
  readonly hasStoredPassword: boolean;
}): string | undefined {
  const { privacy, password, hasStoredPassword } = resulting;
  if (privacy === Privacy.Password && password === undefined && !hasStoredPassword) {
    return `is required if privacy is 2; send a string of ${passwordLength.min} to ${passwordLength.max} characters`;
  }
  if (privacy !== Privacy.Password && password !== undefined) {
    return (
      `is not allowed if privacy is ${privacy}, because it would protect nothing; ` +
      "send privacy 2 too, or omit the password"
    );
  }
  return undefined;
}
