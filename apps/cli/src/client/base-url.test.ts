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
  "example.com",
  "ftp://example.com",
  "https://ada:secret@example.com",
  "ftp://ada:secret@example.com",
  "ada:secret@example.com",
  "https://example.com?token=secret",
  "example.com?token=secret",
  "localhost:4171#secret",
])("%j is refused, and the message contains no secret", (text) => {
  expect(() => checkBaseUrl(text)).toThrow(/base URL/);
  expect(() => checkBaseUrl(text)).not.toThrow(/secret/);
});

test.each([
  ["localhost:4171", "http://localhost:4171"],
  ["127.0.0.1:3000/api/v1/", "http://127.0.0.1:3000"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["siteward.example.com", "https://siteward.example.com"],
  ["siteward:8443/base", "https://siteward:8443/base"],
])("%s has no scheme, and the error names %s", (text, url) => {
  expect(() => checkBaseUrl(text)).toThrow(`"${text}" is not a valid base URL. Use "${url}".`);
  expect(checkBaseUrl(url)).toBe(url);
});

test.each([
  "",
  "/siteward",
  "ftp://example.com",
  "https://exa mple.com",
  "http//example.com",
  "mailto:ada",
  "two words",
])("%j stands for no URL, and the error has an example of one", (text) => {
  expect(() => checkBaseUrl(text)).toThrow('Use a URL such as "https://siteward.example.com".');
});
