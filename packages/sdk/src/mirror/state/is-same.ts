import type { MirroredWebsite } from "./mirrored-website.ts";

/** Checks whether two versions of a website have the same fields, also those that only a newer service has. */
export function isSame(left: MirroredWebsite, right: MirroredWebsite): boolean {
  const [before, after] = [Object.entries<unknown>(left), Object.entries<unknown>(right)];
  return (
    before.length === after.length && before.every(([name, value]) => isSameValue(value, Reflect.get(right, name)))
  );
}

/** The values are those of JSON. */
function isSameValue(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === "object" && JSON.stringify(left) === JSON.stringify(right));
}
