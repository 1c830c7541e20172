import type { Rule } from "./check-options.ts";

/** The longest wait that the timers of every runtime accept: about 24 days. */
export const maxTimeoutMs = 2_147_483_647;

/** The rules of the options that both the client and a call accept. */
export const commonRules: Readonly<Record<"timeoutMs" | "maxRetries", Rule>> = {
  timeoutMs: wholeNumber(1, maxTimeoutMs, `be a whole number of milliseconds from 1 to ${maxTimeoutMs}`),
  maxRetries: wholeNumber(0, Number.POSITIVE_INFINITY, "be a whole number of at least 0"),
};

/** The rule of a whole number. */
export function wholeNumber(least: number, most: number, requirement: string): Rule {
  return [(value: number) => Number.isInteger(value) && value >= least && value <= most, requirement];
}
