import { toPathPattern } from "@siteward/service";
import { setUpError } from "../state/set-up-error.ts";
import type { RequestMatch } from "./failure.ts";

/** More than a test injects. */
const maxInjections = 1_000;

interface Waiting<Injected> {
  readonly injected: Injected;
  readonly pattern: RegExp | undefined;
  /** How many more requests meet it. */
  left: number;
  hasMet: boolean;
}

/** What the next requests meet, in the order in which it was added. */
export class Injections<Injected extends RequestMatch> {
  readonly #waiting: Waiting<Injected>[] = [];

  readonly #functionName: string;

  /** @param functionName the function that a test calls, such as `failNext` */
  constructor(functionName: string) {
    this.#functionName = functionName;
  }

  add(injected: Injected): void {
    const refuse = (message: string) => setUpError(this.#functionName, message);
    const { times = 1, method, path, when } = injected;
    if (!(times === Number.POSITIVE_INFINITY || (Number.isSafeInteger(times) && times >= 1))) {
      throw refuse("times must be a whole number of at least 1, or Infinity.");
    }
    if (method !== undefined && !methods.includes(method)) {
      throw refuse(`method must be one of: ${methods.join(", ")}.`);
    }
    if (path !== undefined && !/^\/[^?#]*$/.test(path)) {
      throw refuse('path must start with a slash and have no query, such as "/api/v1/websites/:id".');
    }
    if (when !== undefined && when !== "before" && when !== "after") {
      throw refuse('when must be "before" or "after".');
    }
    if (this.#waiting.length >= maxInjections) {
      throw refuse(`${maxInjections} calls wait for their requests. Create a fake for each test.`);
    }
    this.#waiting.push({
      injected,
      pattern: path === undefined ? undefined : toPattern(path),
      left: times,
      hasMet: false,
    });
  }

  /** What requests have yet to meet. What all of them meet counts as met after the first. */
  get pending(): Injected[] {
    return this.#waiting
      .filter(({ left, hasMet }) => !(hasMet && left === Number.POSITIVE_INFINITY))
      .map(({ injected, left }) => ({ ...injected, times: left }));
  }

  /** Returns what a request meets, and counts it. */
  take(method: string, path: string): Injected | undefined {
    const index = this.#waiting.findIndex(
      ({ injected, pattern }) =>
        (injected.method === undefined || injected.method === method) && (pattern === undefined || pattern.test(path)),
    );
    const found = this.#waiting[index];
    if (found === undefined) return undefined;
    found.left -= 1;
    found.hasMet = true;
    if (found.left === 0) this.#waiting.splice(index, 1);
    return found.injected;
  }
}

const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "DELETE"];

/** Every character of a path other than its parameters stands for itself. */
function toPattern(path: string): RegExp {
  return toPathPattern(path.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
}
