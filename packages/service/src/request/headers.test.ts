import { expect, test } from "vitest";
import { invalidApiKey } from "../refusals.ts";
import { readBearerToken } from "./headers.ts";

test.each([
  ["no Authorization header", () => readBearerToken(undefined)],
  ["another scheme", () => readBearerToken("Basic Zm9v")],
  [
    "an invalid API key",
    () => {
      throw invalidApiKey();
    },
  ],
])("the refusal of %s is created once, since that takes as long as an answer", (_, refuse) => {
  expect(catchError(refuse)).toBe(catchError(refuse));
  expect(catchError(refuse)).toMatchObject({ code: "unauthenticated" });
});

function catchError(refuse: () => unknown): unknown {
  try {
    return refuse();
  } catch (error) {
    return error;
  }
}
