import { isApiError } from "../errors/is-api-error.ts";
import { isSitewardError } from "../errors/siteward-error.ts";

/** A service could invent a new code for each answer. */
const maxKinds = 32;

/** Reports each kind of failure once, until `recovered` is called. */
export class FailureReport {
  readonly #onError: (error: unknown) => void;
  readonly #reported = new Set<string>();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  failed(error: unknown): void {
    const kind = kindOf(error);
    if (this.#reported.has(kind) || this.#reported.size >= maxKinds) return;
    this.#reported.add(kind);
    this.#onError(error);
  }

  recovered(): void {
    this.#reported.clear();
  }
}

function kindOf(error: unknown): string {
  if (isApiError(error)) return `${error.code} ${error.status}`;
  return isSitewardError(error) ? error.code : String(error);
}
