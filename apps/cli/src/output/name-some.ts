const maxNamed = 20;

/** Lists names for people, at most 20 of them: "a.example, b.example and 3 more". */
export function nameSome(names: readonly string[]): string {
  const rest = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
