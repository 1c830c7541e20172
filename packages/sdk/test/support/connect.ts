import { expect, onTestFinished, vi } from "vitest";
import { SitewardError } from "../../src/errors/siteward-error.ts";
import { resolveSitewardOptions, type SitewardOptions } from "../../src/options/siteward-options.ts";
import { createSend, type Send } from "../../src/request/send.ts";
import { apiKey } from "./keys.ts";

/** Creates what sends the requests of a client with its own line. Until the test ends, a backoff takes no time. */
export function connect(options: SitewardOptions & { readonly baseUrl: string }): Send {
  fixRandom(0);
  return createSend(resolveSitewardOptions({ apiKey, ...options }));
}

/** Until the test ends, every random number is this one. */
export function fixRandom(value: number): void {
  const random = vi.spyOn(Math, "random").mockReturnValue(value);
  onTestFinished(() => void random.mockRestore());
}

/** Returns the error with which a call fails. */
export async function catchError(call: PromiseLike<unknown>): Promise<SitewardError> {
  const error = await call.then(
    () => expect.unreachable("the call succeeded"),
    (reason: unknown) => reason,
  );
  return error instanceof SitewardError ? error : expect.unreachable(`it threw ${error}`);
}
