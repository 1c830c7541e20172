import type { Conditions } from "@siteward/service";
import type { StoredApiKey } from "../state/api-keys.ts";
import type { FakeState } from "../state/fake-state.ts";
import type { IdempotentRequest } from "../state/kept-outcomes.ts";

/** Carries out one operation. It throws an `AppError` to refuse the request. */
export type Operation<Route> = (input: OperationInput<Route>) => OperationAnswer;

/** What an operation may read: the parts of the request that the schemas of its route have validated, and who sends it. */
export interface OperationInput<Route> {
  readonly state: FakeState;
  readonly params: ValidPart<Route, "pathParams">;
  readonly query: ValidPart<Route, "query">;
  readonly body: ValidPart<Route, "body">;
  readonly apiKey: StoredApiKey;
  readonly conditions: Conditions | undefined;
  readonly idempotency: IdempotentRequest | undefined;
}

type ValidPart<Route, Part extends string> =
  Route extends Readonly<
    Record<Part, { readonly "~standard": { readonly types?: { readonly output: infer Valid } | undefined } }>
  >
    ? Valid
    : undefined;

/** What an operation answers. Without a body, the answer is only a head. */
export interface OperationAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
