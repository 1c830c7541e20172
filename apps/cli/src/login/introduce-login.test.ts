import { expect, test } from "vitest";
import { introduceLogin } from "./introduce-login.ts";

// What else it says, the tests of the prompts show.
test("a login to the default URL says how to choose another service", () => {
  const baseUrl = "https://siteward.example.com";
  const [line] = introduceLogin({ profile: "work", baseUrl, isDefaultUrl: true, replacedUrl: undefined });
  expect(line).toMatch(/For another service, pass --base-url\.$/);
});
