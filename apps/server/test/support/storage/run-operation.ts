import type { IdempotentRequest, NewWebsite, WebsiteChange, WebsiteListRequest } from "@siteward/service";
import { AppError } from "@siteward/service";
import type { TestWebsiteStore } from "./with-test-author.ts";

/** A call of the websites of an account, as data. */
export type WebsiteOperation =
  | { readonly kind: "create"; readonly website: NewWebsite; readonly idempotency?: IdempotentRequest }
  | { readonly kind: "get"; readonly id: number }
  | { readonly kind: "update"; readonly id: number; readonly change: WebsiteChange }
  | { readonly kind: "delete"; readonly id: number }
  | { readonly kind: "list"; readonly request: WebsiteListRequest };

/** Returns what storage answers to an operation: the result, or its failure. Throws every other error. */
export async function runOperation(
  websites: TestWebsiteStore,
  accountId: number,
  operation: WebsiteOperation,
): Promise<unknown> {
  try {
    return await call(websites, accountId, operation);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { failure: error.failure };
  }
}

function call(websites: TestWebsiteStore, accountId: number, operation: WebsiteOperation): Promise<unknown> {
  switch (operation.kind) {
    case "create":
      return websites.create(accountId, operation.website, { idempotency: operation.idempotency });
    case "get":
      return websites.get(accountId, operation.id);
    case "update":
      return websites.update(accountId, operation.id, () => operation.change);
    case "delete":
      return websites.delete(accountId, operation.id);
    case "list":
      return websites.list(accountId, operation.request);
  }
}
