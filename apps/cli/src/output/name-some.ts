const maxNamed = 20;

/** Lists the first names for people: "a.example, b.example and 3 more". Lists 20 if no other number is stated. */
export function nameSome(names: readonly string[], max: number = maxNamed): string {
  const rest = names.length - max;
  return `${names.slice(0, max).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
