import { expect, test } from "vitest";
import { ApiError, isApiError } from "./api-error.ts";

test("isApiError recognizes an ApiError, and checks its code", () => {
  const fields = { code: "not_found", status: 404, title: "Not found", detail: "No such website." };
  const error: unknown = new ApiError({ ...fields, headers: new Headers() });
  expect([isApiError(error), isApiError(error, "not_found"), isApiError(error, "domain_taken")]).toEqual([
    true,
    true,
    false,
  ]);
  const ofAnotherPackage = Object.assign(new Error("no"), { name: "ApiError", code: "not_found" });
  expect([isApiError(ofAnotherPackage), isApiError(undefined)]).toEqual([false, false]);
});
