import { countCharacters, findInvisibleCharacter, unpairedSurrogate } from "./characters.ts";
import type { EntryGrammar, Parsed } from "./entry-list.ts";

const maxEntryLength = 128;

/**
 * The grammar of `exclude_params` (docs/interface.md, section 2): names of URL parameters, or prefixes that end in `*` (`utm_*`).
 * Entries keep their case, because parameter names are case-sensitive. They have no invisible characters.
 */
export const excludeParams: EntryGrammar = { maxEntries: 100, parseEntry: parseParameterName };

/** The order matters: the message names the first that matches. */
const faults: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ /, 'contains a space; send a parameter name such as "gclid"'],
  [unpairedSurrogate.pattern, unpairedSurrogate.reason],
  [/[&=?#]/, 'contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"'],
  [/^\*$/, 'would match every parameter; send a prefix before the "*", such as "utm_*"'],
  [/\*./s, 'has a "*" that is not at its end; send a name, or a prefix that ends in "*", such as "utm_*"'],
];

function parseParameterName(text: string): Parsed<string> {
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
  const reason = faults.find(([pattern]) => pattern.test(text))?.[1];
  return reason === undefined ? { ok: true, value: text } : { ok: false, reason };
}
