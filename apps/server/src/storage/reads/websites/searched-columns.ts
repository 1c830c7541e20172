import type { SearchedColumns } from "../../tables/website-match.ts";

/**
 * Returns the columns that can contain a term. Punycode begins with the ASCII characters of a label, in their order. So what is
 * ASCII in the Unicode form is also in the domain, unless it reaches into another label: `nchen.de` is in `münchen.de`, but not
 * in `xn--mnchen-3ya.de`.
 */
export function searchedColumns(term: string): SearchedColumns {
  if (/\P{ASCII}/u.test(term)) return ["unicode_domain"];
  return term.includes(".") ? ["domain", "unicode_domain"] : ["domain"];
}
