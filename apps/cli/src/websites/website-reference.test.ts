import { expect, test } from "vitest";
import { parseWebsiteReference } from "./website-reference.ts";

test.each([
  ["7", { id: 7 }],
  [" 7 ", { id: 7 }],
  ["9007199254740991", { id: Number.MAX_SAFE_INTEGER }],
  ["example.com", { domain: "example.com", typed: "example.com" }],
  [" WWW.Example.COM. ", { domain: "www.example.com", typed: "WWW.Example.COM." }],
  ["Bücher.example", { domain: "xn--bcher-kva.example", typed: "Bücher.example" }],
  ["7.example", { domain: "7.example", typed: "7.example" }],
])("%j is %j", (text, reference) => {
  expect(parseWebsiteReference(text)).toEqual(reference);
});

test.each([
  ["0", "an ID is a whole number, 1 or higher"],
  ["007", "an ID is a whole number, 1 or higher"],
  ["9007199254740992", "an ID is a whole number, 1 or higher"],
  ["", 'it is empty; send a host name such as "example.com"'],
  ["abc", 'it is a single label; send a full host name such as "example.com"'],
  ["1.5", 'it is an IP address; send a host name such as "example.com"'],
  ["https://Example.com/", 'it contains a scheme; send "example.com"'],
])("%j is refused, with what to pass instead", (text, reason) => {
  expect(() => parseWebsiteReference(text)).toThrow(
    `${JSON.stringify(text)} is not the ID or domain of a website: ${reason}.`,
  );
});
