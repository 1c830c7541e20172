/** Compares two values of a field: strings, numbers, booleans, null, or lists of these. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return left === right;
  return left.length === right.length && left.every((entry, index) => entry === right[index]);
}
