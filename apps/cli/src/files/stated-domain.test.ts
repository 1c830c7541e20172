import { expect, test } from "vitest";
import { findHost, hideUserInformation } from "./stated-domain.ts";

test.each([
  "https://shop.example/",
  "HTTP://Shop.Example",
  "https://shop.example:8443/de/?a=1#b",
  "https://shop.example/@user",
  "sc-domain:shop.example",
])("the host of %s is shop.example", (text) => {
  expect(findHost(text)).toBe("shop.example");
});

test.each([
  ["a domain", "shop.example"],
  ["a domain in Unicode", "bücher.example"],
  ["a path without a scheme, which can mean a website of its own", "shop.example/blog"],
  ["a port without a scheme", "shop.example:8443"],
  ["user information, which can be a secret", "https://user:secret@shop.example/"],
  ["another scheme", "ftp://shop.example"],
  ["a path of a domain property", "sc-domain:shop.example/de"],
  ["an address", "https://203.0.113.7/"],
  ["two domains", "a.example, b.example"],
  ["two URLs", "https://a.example/ https://b.example/"],
  ["two URLs with a comma", "https://a.example/, https://b.example/"],
  ["a URL and a domain", "https://a.example/,b.example"],
  ["two URLs on lines of one cell", "https://a.example/\nhttps://b.example/"],
  ["two URLs with a semicolon", "https://a.example/;https://b.example/"],
  ["a domain in quotes", '"shop.example"'],
])("%s is not replaced by a host", (_what, text) => {
  expect(findHost(text)).toBeUndefined();
});

test.each([
  ["https://user:secret@shop.example/", "https://[redacted]@shop.example/"],
  ["https://token@shop.example/", "https://[redacted]@shop.example/"],
  ["https://user:a/b@c@shop.example/", "https://[redacted]@shop.example/"],
  ["user:secret@shop.example", "[redacted]@shop.example"],
  ["info@shop.example", "info@shop.example"],
  ["https://shop.example/", "https://shop.example/"],
])("%s is shown as %s", (text, shown) => {
  expect(hideUserInformation(text)).toBe(shown);
});
