import { checkOptions, type Rule } from "../options/check-options.ts";
import { commonRules } from "../options/common-rules.ts";
import type { WebsiteChange } from "./state/mirrored-website.ts";

/** Options of `mirrorWebsites`. One that is undefined counts as omitted. */
export interface MirrorOptions {
  /**
   * The path of a file in which the mirror keeps its last state. If it exists at the start, its websites are served at once, also
   * while the service is away, and then followed from there. It contains what the API shows of the websites, and is only used
   * with the base URL and the API key with which it was written. Needs Node 22.3 or later, Bun or Deno.
   * @default none: each start reads all websites
   */
  readonly file?: string | undefined;
  /** Ends the mirror, as `close` does. Without one, it ends with the program. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each website that was created, updated or deleted, in order, after all changes of the same answer were applied. Not
   * called for the websites of the start. If it throws or rejects, the mirror continues, and `onError` is called.
   */
  readonly onChange?: ((change: WebsiteChange) => unknown) | undefined;
  /**
   * Called if a request fails, or the file cannot be used or written. A request is always tried again, and without a file that
   * can be used, all websites are read. A request that fails again for the same reason is not reported again until one has
   * succeeded; the file is reported again once it was written.
   * @default console.error, with a line for each
   */
  readonly onError?: ((error: unknown) => unknown) | undefined;
  /**
   * How often the mirror asks for changes, in milliseconds. The actual wait is up to 20 % shorter or longer.
   * @default 15000
   */
  readonly intervalMs?: number | undefined;
  /**
   * After how long without an answer the mirror is stale, in milliseconds.
   * @default 300000
   */
  readonly staleAfterMs?: number | undefined;
}

/** The options, checked, with defaults filled in. */
export interface ResolvedMirrorOptions {
  readonly file: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onChange: (change: WebsiteChange) => unknown;
  readonly onError: (error: unknown) => unknown;
  readonly intervalMs: number;
  readonly staleAfterMs: number;
}

const isFunction: Rule = [(value) => typeof value === "function", "be a function"];
const rules = {
  file: [(value: string) => typeof value === "string" && value !== "", "be the path of a file"],
  signal: [(value) => Object(value).addEventListener !== undefined, "be an AbortSignal"],
  onChange: isFunction,
  onError: isFunction,
  intervalMs: commonRules.timeoutMs,
  staleAfterMs: commonRules.timeoutMs,
} satisfies Record<keyof MirrorOptions, Rule>;

/** @throws InvalidArgumentError if an option is unknown or not valid */
export function resolveMirrorOptions(options: MirrorOptions): ResolvedMirrorOptions {
  checkOptions(options, rules);
  return {
    file: options.file,
    signal: options.signal,
    onChange: options.onChange ?? (() => {}),
    onError: options.onError ?? logTo(console),
    intervalMs: options.intervalMs ?? 15_000,
    staleAfterMs: options.staleAfterMs ?? 300_000,
  };
}

function logTo(logger: { error(line: string): void }): (error: unknown) => void {
  return (error) => logger.error(`The mirror of the websites: ${String(error)}`);
}
