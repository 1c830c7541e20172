import { expect, test } from "vitest";
import { parseWebsiteReference } from "./website-reference.ts";

test.each([
  ["7", { id: 7 }],
  [" 7 ", { id: 7 }],
  ["9007199254740991", { id: Number.MAX_SAFE_INTEGER }],
])("%j is an ID", (text, reference) => {
  expect(parseWebsiteReference(text)).toEqual(reference);
});

test.each([
  ["example.com", "example.com"],
  [" WWW.Example.COM. ", "www.example.com"],
  ["Bücher.example", "xn--bcher-kva.example"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["7.example", "7.example"],
])("%j is the domain %j, and keeps how it was typed", (text, domain) => {
  expect(parseWebsiteReference(text)).toEqual({ domain, typed: text.trim() });
});

test.each(["0", "007", "9007199254740992"])("%j is refused: it looks like an ID, and is none", (text) => {
  expect(() => parseWebsiteReference(text)).toThrow(
    `${JSON.stringify(text)} is not the ID or domain of a website. The ID of a website is a whole number, 1 or higher.`,
  );
});

test.each(["", "abc", "1.5", "1e3", "https://example.com/", "203.0.113.7", "my_site.example", "a b.example"])(
  "%j is refused, with what to pass instead",
  (text) => {
    expect(() => parseWebsiteReference(text)).toThrow(
      `${JSON.stringify(text)} is not the ID or domain of a website. Pass an ID, such as 7, or a domain, such as "example.com".`,
    );
  },
);
