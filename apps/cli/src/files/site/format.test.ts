import { type EntryGrammar, entryGrammars, parseDomain } from "@siteward/contract/plain";
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildWebsite } from "../../../test/support/build-website.ts";
import { completeSettings } from "../../websites/settings.ts";
import { addChecksum, formatSiteFile, passwordVariable, schemaUrl } from "./format.ts";
import { readSiteFile } from "./read-site-file.ts";

test("a site file is sorted by domain, has readable values and forms of domains, and omits what is so by default", async () => {
  const websites = [
    buildWebsite(1, "shop.example.com", { privacy: 2, email: 1, exclude_bots: 0, exclude_ips: ["2001:db8::"] }),
    buildWebsite(1, "example.com", { privacy: 1, exclude_params: ["utm_*", "null", "xn--bcher-kva.example"] }),
    buildWebsite(1, "xn--bcher-kva.example"),
    buildWebsite(2, "xn--mnchen-3ya.example", { privacy: 1 }),
    buildWebsite(3, "xn--pple-43d.example"),
  ];
  expect(await formatSiteFile(websites)).toBe(
    addChecksum(`# yaml-language-server: $schema=${schemaUrl}
version: 1
websites:
  - domain: example.com
    privacy: private
    exclude_params:
      - utm_*
      - "null"
      - xn--bcher-kva.example
  - domain: shop.example.com
    privacy: password
    email: true
    exclude_bots: false
    exclude_ips:
      - "2001:db8::"
    password_env: SITEWARD_PASSWORD_SHOP_EXAMPLE_COM
  - xn--bcher-kva.example # bücher.example
  - domain: xn--mnchen-3ya.example # münchen.example
    privacy: private
  - xn--pple-43d.example
`),
  );
});

const unicodeDomains = ["xn--bcher-kva.example", "xn--80ak6aa92e.com", "xn--wgv71a119e.jp", "xn--pple-43d.com"];
const domains = fc.oneof(
  fc.domain().filter((domain) => parseDomain(domain).ok),
  fc.constantFrom(...unicodeDomains),
);
const settings = fc.record({
  privacy: fc.constantFrom(0 as const, 1 as const, 2 as const),
  email: fc.constantFrom(0 as const, 1 as const),
  exclude_bots: fc.constantFrom(0 as const, 1 as const),
  exclude_params: fc.uniqueArray(
    fc.string({ minLength: 1, unit: "binary" }).filter((text) => isCanonical(text, entryGrammars.exclude_params)),
  ),
  exclude_ips: fc.uniqueArray(
    fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => canonical(text)),
    { maxLength: 5 },
  ),
});

test("any websites are read from their site file as they are", async () => {
  const entries = fc.uniqueArray(fc.tuple(domains, settings), {
    selector: ([domain]) => domain.toLowerCase(),
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(entries, async (listed) => {
      const websites = listed.map(([domain, stated]) => buildWebsite(1, domain.toLowerCase(), stated));
      const file = await readSiteFile(await formatSiteFile(websites));
      expect(file.problems).toEqual([]);
      const read = new Map(file.entries.map((entry) => [entry.domain, completeSettings(entry.settings)]));
      expect(read).toEqual(new Map(websites.map((each) => [each.domain, completeSettings(each)])));
    }),
  );
});

test("no two domains have the same environment variable for their password", () => {
  const label = fc.stringMatching(/^[a-c]([-a]{0,4}[a-c])?$/);
  const domain = fc.array(label, { minLength: 2, maxLength: 3 }).map((labels) => labels.join("."));
  fc.assert(
    fc.property(domain, domain, (one, other) => {
      expect(passwordVariable(one) === passwordVariable(other)).toBe(one === other);
      expect(passwordVariable(one)).toMatch(/^[A-Z_][A-Z0-9_]*$/);
    }),
    { numRuns: 2000 },
  );
});

function isCanonical(text: string, grammar: EntryGrammar): boolean {
  const parsed = grammar.parseEntry(text);
  return parsed.ok && parsed.value === text && !text.includes(",");
}

function canonical(address: string): string {
  const parsed = entryGrammars.exclude_ips.parseEntry(address);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}
