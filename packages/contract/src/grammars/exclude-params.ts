import { countCharacters, findInvisibleCharacter } from "./characters.ts";
import type { EntryGrammar, Parsed } from "./entry-list.ts";

const maxEntryLength = 128;

/**
 * The grammar of `exclude_params` (docs/interface.md, section 2): names of URL parameters, or prefixes that end in `*` (`utm_*`).
 * Entries keep their case, because parameter names are case-sensitive. They have no invisible characters.
 */
export const excludeParams: EntryGrammar = { maxEntries: 100, parseEntry: parseParameterName };

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
  if (text.includes(" ")) {
    return { ok: false, reason: 'contains a space; send a parameter name such as "gclid"' };
  }
  if (!text.isWellFormed()) {
    return { ok: false, reason: "contains an unpaired surrogate; send valid Unicode" };
  }
  if (/[&=?#]/.test(text)) {
    return { ok: false, reason: 'contains "&", "=", "?" or "#"; send only the parameter name, such as "gclid"' };
  }
  if (text === "*") {
    return { ok: false, reason: 'would match every parameter; send a prefix before the "*", such as "utm_*"' };
  }
  if (text.slice(0, -1).includes("*")) {
    return {
      ok: false,
      reason: 'has a "*" that is not at its end; send a name, or a prefix that ends in "*", such as "utm_*"',
    };
  }
  return { ok: true, value: text };
}
