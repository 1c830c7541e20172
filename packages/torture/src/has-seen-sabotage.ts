import type { Attack } from "./row.ts";

/** Whether a sabotaged run has shown what it is there to show, and may end. */
export function hasSeenSabotage({ isSabotaged }: Attack, violations: readonly string[]): boolean {
  return isSabotaged && violations.length > 0;
}
