import type { Attack } from "./row.ts";

/** Whether a sabotaged run has noticed the sabotage and can end. */
export function hasSeenSabotage({ isSabotaged }: Attack, violations: readonly string[]): boolean {
  return isSabotaged && violations.length > 0;
}
