import { createWebsiteBody } from "@siteward/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Place } from "./entry.ts";
import { readEntry } from "./entry.ts";

const place: Place = { unit: "line", number: 7 };

function problemsOf(fields: Record<string, unknown>): readonly string[] {
  const reading = readEntry(place, fields);
  return "problems" in reading ? reading.problems : [];
}

describe("an entry", () => {
  test.each([
    ["privacy", ["public", "PUBLIC", 0, "0"], 0],
    ["privacy", ["password", 2, "2"], 2],
    ["email", ["true", "on", "On", 1, "1", true], 1],
    ["exclude_bots", ["false", "off", 0, "0", false], 0],
    ["exclude_params", ["utm_*,ref", "utm_*\r\nref", " utm_* , ref ,", ["utm_*", "ref"]], ["utm_*", "ref"]],
  ])("accepts every form of %s", (field, forms, value) => {
    for (const form of forms) {
      expect(readEntry(place, { domain: "example.com", [field]: form })).toEqual({
        entry: { place, domain: "example.com", settings: { [field]: value } },
      });
    }
  });
});

describe("a problem", () => {
  test.each([
    [{}, 'domain is required; send a host name such as "example.com"'],
    [{ domain: 42 }, "domain is 42; send a string"],
    [
      { domain: "a.example", exclude_ips: "10.0.0.1;10.0.0.2" },
      'exclude_ips entry 1: "10.0.0.1;10.0.0.2" contains several entries; send them separated by commas',
    ],
    [
      { domain: "a.example", exclude_ips: { office: 1 } },
      "exclude_ips is an object; send an array of strings, or a string with entries separated by commas",
    ],
    [
      { domain: "a.example", exclude_params: ["ref", 5] },
      "exclude_params entry 2: 5 is not a string; send an array of strings, " +
        "or a string with entries separated by commas",
    ],
    [
      { domain: "a.example", "owner of the page": "Ada" },
      '"owner of the page" is unknown; send only domain, privacy, email, exclude_bots, exclude_params, exclude_ips, ' +
        "password_env, password_file",
    ],
  ])("of %j is: %s", (fields, problem) => {
    expect(problemsOf(fields)).toEqual([problem]);
  });

  test("is found for exactly the settings that the service refuses", () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom("a.example", "203.0.113.*", "utm_*", "::1", "10.0.0.0/8", "a b"),
    );
    const list = fc.array(
      text.filter((entry) => entry.trim() !== ""),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(
        text.filter((domain) => domain.trim() !== ""),
        list,
        list,
        (domain, exclude_params, exclude_ips) => {
          const fields = { domain, exclude_params, exclude_ips };
          const parsed = createWebsiteBody.safeParse(fields);
          const reading = readEntry(place, fields);
          expect("entry" in reading).toBe(parsed.success);
          if (!("entry" in reading) || !parsed.success) return;
          expect({ ...parsed.data, ...reading.entry.settings }).toEqual(parsed.data);
          expect(reading.entry.domain).toBe(parsed.data.domain);
        },
      ),
    );
  });
});

describe("a password", () => {
  test.each([
    [{ password: "correct horse" }, "password is not allowed in this file; send password_env or password_file instead"],
    [{ password_env: "A", password_file: "b" }, "password_env and password_file cannot be combined; send one of them"],
    [
      { password_env: "correct horse" },
      expect.stringMatching(/^password_env is not the name of an environment variable for passwords; send /),
    ],
    [{ password_file: 5 }, "password_file is not a string"],
  ])("that is stated wrongly is a problem that does not repeat it: %#", (fields, problem) => {
    expect(problemsOf({ domain: "example.com", ...fields })).toEqual([problem]);
  });

  test.each(["SITEWARD_API_KEY", "siteward_api_key", "SITEWARD_", "SITEWARD_PASSWORD"])(
    "is never a setting of siteward: %s",
    (name) => {
      expect(problemsOf({ domain: "example.com", password_env: name })).toEqual([
        expect.stringContaining("send a name such as SHOP_PASSWORD, or one that begins with SITEWARD_PASSWORD_"),
      ]);
    },
  );
});
