import { InvalidArgumentError } from "../errors/invalid-argument-error.ts";

/** The longest wait that the timers of every runtime accept: about 24 days. */
const maxTimeoutMs = 2_147_483_647;

/** @throws InvalidArgumentError */
export function checkTimeoutMs(timeoutMs: number): number {
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs) return timeoutMs;
  throw new InvalidArgumentError(`timeoutMs must be a whole number of milliseconds from 1 to ${maxTimeoutMs}.`);
}

/** @throws InvalidArgumentError */
export function checkMaxRetries(maxRetries: number): number {
  if (Number.isSafeInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new InvalidArgumentError("maxRetries must be a whole number of at least 0.");
}
