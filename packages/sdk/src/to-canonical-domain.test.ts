import { toUnicodeDomain } from "@siteward/contract";
import { describe, expect, test } from "vitest";
import { InvalidArgumentError } from "./errors/siteward-error.ts";
import { toCanonicalDomain } from "./to-canonical-domain.ts";

describe("toCanonicalDomain", () => {
  test.each([
    ["Bücher.example", "xn--bcher-kva.example"],
    [" WWW.Example.COM. ", "www.example.com"],
    ["ёж.рф", "xn--f1a7c.xn--p1ai"],
  ])("returns the form of %j that the service stores: %j", (text, domain) => {
    expect(toCanonicalDomain(text)).toBe(domain);
    expect(toCanonicalDomain(toUnicodeDomain(domain))).toBe(domain);
  });

  test.each([
    ["", "", 'is empty; send a host name such as "example.com"'],
    ["localhost", "localhost", 'is a single label; send a full host name such as "example.com"'],
    ["https://user:secret@example.com/", "…@example.com/", 'contains a scheme; send "example.com"'],
    [`${"a".repeat(300)}@secret@${"b".repeat(300)}`, `…@${"b".repeat(97)}`, /^contains user information; send a host/],
  ])(
    "throws an InvalidArgumentError for %j, which it names without a password and in at most 99 characters",
    (text, named, reason) => {
      const error = catchError(() => toCanonicalDomain(text));
      expect(error).toMatchObject({ name: "InvalidArgumentError", code: "invalid_argument" });
      const [, quoted, given] = /^domain (".*") (.*)\.$/.exec(error.message) ?? [];
      expect([quoted, given]).toEqual([
        JSON.stringify(named),
        reason instanceof RegExp ? expect.stringMatching(reason) : reason,
      ]);
    },
  );

  test.each([undefined, null, 7, {}])("throws an InvalidArgumentError for %j, which is no string", (value) => {
    // A program without types may pass anything.
    expect(() => toCanonicalDomain(value as string)).toThrow(new InvalidArgumentError("domain must be a string."));
  });
});

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.unreachable("nothing was thrown");
}
