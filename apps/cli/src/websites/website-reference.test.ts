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
    `${JSON.stringify(text)} is not the ID or domain of a website: an ID is a whole number, 1 or higher.`,
  );
});

test.each([
  ["", 'it is empty; send a host name such as "example.com"'],
  ["abc", 'it is a single label; send a full host name such as "example.com"'],
  ["1.5", 'it is an IP address; send a host name such as "example.com"'],
  ["https://Example.com/", 'it contains a scheme; send "example.com"'],
  ["my_site.example", 'it contains an underscore; send a host name such as "example.com"'],
])("%j is refused, with what to pass instead", (text, reason) => {
  expect(() => parseWebsiteReference(text)).toThrow(
    `${JSON.stringify(text)} is not the ID or domain of a website: ${reason}.`,
  );
});
