import { expect, test } from "vitest";
import { InvalidArgumentError } from "./errors/siteward-error.ts";
import { toCanonicalDomain } from "./to-canonical-domain.ts";

test.each([
  ["Bücher.example", "xn--bcher-kva.example"],
  [" WWW.Example.COM. ", "www.example.com"],
])("toCanonicalDomain returns the form of %j that the service stores: %j", (text, domain) => {
  expect(toCanonicalDomain(text)).toBe(domain);
});

const anyHost = 'send a host name such as "example.com"';
test.each([
  ["", "", `is empty; ${anyHost}`],
  ["localhost", "localhost", 'is a single label; send a full host name such as "example.com"'],
  ["https://user:secret@example.com/", "…@example.com/", 'contains a scheme; send "example.com"'],
  [`${"a".repeat(300)}@secret@${"b".repeat(300)}`, `…@${"b".repeat(97)}`, `contains user information; ${anyHost}`],
])(
  "toCanonicalDomain throws an InvalidArgumentError for %j, which it names without a password and in at most 99 characters",
  (text, named, reason) => {
    const error = new InvalidArgumentError(`domain ${JSON.stringify(named)} ${reason}.`);
    expect(() => toCanonicalDomain(text)).toThrow(error);
  },
);

test.each([undefined, null, 7, {}])(
  "toCanonicalDomain throws an InvalidArgumentError for %j, which is no string",
  (value) => {
    // A program without types may pass anything.
    expect(() => toCanonicalDomain(value as string)).toThrow(new InvalidArgumentError("domain must be a string."));
  },
);
