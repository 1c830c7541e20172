/** Reads a nested member of JSON. Returns undefined if it does not exist. */
export function readMember(json: unknown, ...names: readonly (string | number)[]): unknown {
  let value = json;
  for (const name of names) {
    if (typeof value !== "object" || value === null) return undefined;
    // Reading any member of an object as unknown is safe.
    value = (value as Record<string | number, unknown>)[name];
  }
  return value;
}
