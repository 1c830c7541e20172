import { countCharacters, findInvisibleCharacter, unpairedSurrogate } from "./characters.ts";
import type { EntryGrammar, Parsed } from "./entry-list.ts";

const maxEntryLength = 128;

/**
 * The grammar of `exclude_params` (docs/interface.md, section 2): names of URL parameters, or prefixes that end in `*` (`utm_*`).
 * Entries keep their case, because parameter names are case-sensitive. They have no invisible characters.
 */
export const excludeParams: EntryGrammar = {
  maxEntries: 100,
  parseEntry: (text) => parseParameterName(text, mistakes),
};

/** The order matters: the message names the first that matches. */
const faults: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [unpairedSurrogate.pattern, unpairedSurrogate.reason],
  [/[&=?#]/, 'contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"'],
  [/^\*$/, 'would match every parameter; send a prefix before the "*", such as "utm_*"'],
  [/\*./s, 'has a "*" that is not at its end; send a name, or a prefix that ends in "*", such as "utm_*"'],
];

/** What people send for what it means to them. It would never match. */
const mistakes: typeof faults = [
  [/[ ;|]/, 'contains a space, ";" or "|"; send names separated by commas, such as "gclid,ref"'],
  [/^[["'`“„‘«]|["'`”’»]$/, 'is in quotation marks; send it without quotation marks and brackets, such as "gclid"'],
  [/^[!-]/, 'is a negation; send only what to exclude, such as "gclid"'],
  [
    /[\\^(){}+]|\$$|\.\*|\]\*|\[\w-\w|^\/.*\/\w*$/,
    'is a regular expression; send a prefix that ends in "*", such as "utm_*", or a name',
  ],
  [/%/, 'contains "%"; send it decoded, or send a prefix that ends in "*", such as "utm_*"'],
];

/** Parses an entry as every version has stored it, also one that is refused today because it never matches. */
export function parseParameterName(text: string, refused: typeof faults = []): Parsed<string> {
  const length = countCharacters(text);
  if (length > maxEntryLength) {
    return { ok: false, reason: `is ${length} characters long; send at most ${maxEntryLength} characters` };
  }
  const invisible = findInvisibleCharacter(text);
  if (invisible !== undefined) {
    const { name, index } = invisible;
    const position = countCharacters(text.slice(0, index)) + 1;
    const reason = `has the invisible or formatting character ${name} at position ${position}; send it without that`;
    return { ok: false, reason };
  }
  const reason = [...refused, ...faults].find(([pattern]) => pattern.test(text))?.[1];
  return reason === undefined ? { ok: true, value: text } : { ok: false, reason };
}
