import { expect, test } from "vitest";
import { checkBaseUrl } from "./base-url.ts";

test.each([
  ["https://siteward.example.com/", "https://siteward.example.com"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["https://example.com/@team", "https://example.com/@team"],
  ["https://example.com/siteward//", "https://example.com/siteward"],
  ["https://example.com/api/v1", "https://example.com"],
  ["https://example.com/siteward//api/v1//", "https://example.com/siteward"],
  ["https://example.com/my-api/v1", "https://example.com/my-api/v1"],
  ["https://example.com/api/v1/api/v1", "https://example.com/api/v1"],
])("%s becomes %s", (text, url) => {
  expect(checkBaseUrl(text)).toBe(url);
});

test.each([
  "",
  "/siteward",
  "example.com",
  "localhost:4171#secret",
  "ftp://ada:secret@example.com",
  "https://exa mple.com",
  "https://ada:secret@example.com",
  "https://example.com?token=secret",
  "https://example.com#secret",
])("%j is refused, and the message contains no secret", (text) => {
  expect(() => checkBaseUrl(text)).toThrow(/^The base URL (?!.*secret)/);
});
