/** Returns what the search index of SQLite contains for a domain: its parts of one to three characters, with the account in front. */
export function toSearchParts(accountId: number, domain: string): string {
  const pairs = new Set(partsOf(domain, 2));
  const characters = new Set(domain);
  return [...partsOf(domain, 3), ...pairs, ...characters].map((part) => `${accountId}:${part}`).join(" ");
}

/** Returns the phrase that finds a term of three characters or more. */
export function toSearchPhrase(accountId: number, term: string): string {
  return `"${partsOf(term, 3)
    .map((part) => `${accountId}:${part}`)
    .join(" ")}"`;
}

function partsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) => text.slice(start, start + length));
}
