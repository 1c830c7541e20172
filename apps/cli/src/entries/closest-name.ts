import { closestMatch } from "leven";

/** The longest name that is compared. Comparing takes time that grows with the length. */
const maxLength = 40;

/** Returns the name that a misspelt one could be. A suggestion that changes more than half of a short name would be noise. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const maxDistance = Math.min(4, Math.floor(name.length / 2));
  return name.length > maxLength ? undefined : closestMatch(name, [...known], { maxDistance });
}
