/** Returns the fields that have a value, apart from those that are used. What is empty, zero or false loses nothing. */
export function droppedFields(site: Readonly<Record<string, unknown>>, used: readonly string[]): readonly string[] {
  return Object.keys(site).filter((field) => !used.includes(field) && hasValue(site[field]));
}

function hasValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return ![undefined, null, "", 0, false, "0", "f", "false"].some((nothing) => nothing === value);
}
