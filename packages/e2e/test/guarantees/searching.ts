import { toUnicodeDomain } from "@siteward/sdk/fields";
import { expect } from "vitest";
import { Caller, websites } from "./caller.ts";
import type { Guarantees } from "./guarantee.ts";
import { range, walk } from "./lists.ts";

const fewDomains = ["shop.example.com", "example.org", "xn--bcher-kva.example", "100.example.net", "a-b.example"];

/** The IDs of domains, newest first, and the terms that find them. */
type Findings = ReadonlyArray<readonly [ids: readonly number[], terms: readonly string[]]>;

const findings: Findings = [
  [
    [5, 4, 3, 2, 1],
    ["example", "."],
  ],
  [[1], ["EXAMPLE.c", "  shop ", "https://shop.example.com/", "HTTP://www.shop.example.com:8080/a?b=1#c"]],
  [[2], ["or"]],
  [[3], ["bücher", "BÜCHER.EX", "xn--bcher"]],
  [[4], ["10"]],
  [[5], ["a-b"]],
  [[], ["%", "_", "a_b", "e%e", "*", "\\", "'", '"', "example' or '1'='1", "\u0000", "nothing-like-it", "🦊"]],
];

const unicodeDomains = [
  ...["münchen.de", "shop.bücher.example", "例え.テスト", "faß.example", "ΟΔΟΣ.example", "café.example"],
  ...["𠀀𠀁.example", "नमस्ते.example", "xn--pple-43d.com", "🦊.example", "plain.example"],
];

/** What people type, and what they copy from a table, also across labels of which one is only ASCII. */
const unicodeFindings: Findings = [
  [[1], ["münch", " MÜNCH ", "mu\u0308n", "nchen.de", "chen.d", "münchen.de"]],
  [[2, 1], ["ü"]],
  [[2], ["ücher", "bü", "shop.b", "P.BÜ", "r.ex"]],
  [[3], ["例", "え.テ", "え。ﾃ"]],
  [[4], ["ß", "FAẞ"]],
  [[5], ["ΔΟΣ", "οδοσ"]],
  [[6], ["caf", "fé", "cafe\u0301."]],
  // Characters that are two units in UTF-16, and a part that begins with a combining mark.
  [[7], ["𠀁", "𠀀𠀁."]],
  [[8], ["स्ते", "\u094dते"]],
  [[10], ["🦊", "🦊.ex"]],
  // The ASCII form is still found, and a name that looks like another one is not it.
  [[1], ["xn--m", "mnchen", "xn--mnchen-3ya.de"]],
  [[9], ["аpple"]],
  [[], ["STRAẞE", "fass", "δος", "cafe", "𠀁𠀀", "apple", "ü%", "ü_", "ü b", "％", "\u00ad", "ä"]],
];

export const searching: Guarantees = {
  "links of a search in Unicode that are followed to the end and back return every match once, in order": async (
    caller,
  ) => {
    const domains = await createMixedDomains(caller, 60);
    const found = domains.filter((domain) => toUnicodeDomain(domain).includes("ü"));
    for (const query of ["search=Ü&sort=asc", "search=ü&sort_by=domain", "search=u%CC%88&sort_by=domain&sort=asc"]) {
      const forward = await walk(caller, `${caller.account.baseUrl}${websites}?${query}`, "next");
      const backward = await walk(caller, forward.at(-1)?.url ?? "", "prev");
      const there = forward.flatMap(({ page }) => page.data);
      expect(backward.reverse().flatMap(({ page }) => page.data)).toEqual(there);
      expect(domainsOf(there).toSorted()).toEqual(found);
      const inOrder = query.includes("sort_by") ? domainsOf(there) : there.map(({ id }) => id);
      const ascending = inOrder.toSorted((left, right) => (left < right ? -1 : 1));
      expect(inOrder).toEqual(query.includes("asc") ? ascending : ascending.reverse());
    }
  },
  "a search finds a part of the domain in any case, in ASCII or as it is shown in Unicode, and counts the matches":
    async (_, service) => {
      for (const [domains, found] of [
        [fewDomains, findings],
        [unicodeDomains, unicodeFindings],
      ] as const) {
        const caller = new Caller(service);
        await caller.createAll(domains);
        for (const [search, ids] of eachOf(found)) {
          const answer = await caller.get(`${websites}?${new URLSearchParams({ search, search_by: "domain" })}`);
          expect([search, answer.ids]).toEqual([search, ids]);
          expect(answer.page.meta).toMatchObject({ total: ids.length, total_relation: "eq" });
        }
      }
    },
  "an empty term is none": async (caller) => {
    await caller.createAll(fewDomains);
    for (const search of ["", "%20", "%20%20"]) {
      expect((await caller.get(`${websites}?search=${search}&search_by=domain`)).ids).toEqual([5, 4, 3, 2, 1]);
    }
  },
};

/** Memory searches any number in the same way. */
export const searchingMany: Guarantees = {
  "a search finds exactly the websites whose domain contains the term in ASCII or in Unicode": async (caller) => {
    // More than a search reads through.
    const domains = await createMixedDomains(caller, 2_100);
    const forms = domains.map((domain) => ({ domain, unicode: toUnicodeDomain(domain) }));
    // The first ones contain each word.
    const first = range(1, words.length).map((id) => toAsciiDomain(mixedDomain(id)));
    for (const search of new Set(first.flatMap((domain) => [domain, toUnicodeDomain(domain)].flatMap(partsOf)))) {
      const found = forms.filter(({ domain, unicode }) => domain.includes(search) || unicode.includes(search));
      const query = new URLSearchParams({ search, sort_by: "domain", sort: "asc", per_page: "10" });
      const { meta, data } = (await caller.get(`${websites}?${query}`)).page;
      expect([search, meta.total, domainsOf(data)]).toEqual([search, found.length, domainsOf(found.slice(0, 10))]);
    }
  },
};

const words = ["zürich", "例え", "shop", "züge", "𠀀𠀁", "a-ü-b", "plain"];

/** Some have no Unicode form, some have it in the last label, and the numbers are also next to a dot. */
function mixedDomain(id: number): string {
  return `${words[id % words.length]}-${id}.${id % 2 === 0 ? "example" : "bücher"}`;
}

function toAsciiDomain(domain: string): string {
  return new URL(`http://${domain}`).hostname;
}

/** The domains are in their order, not in that of IDs. */
async function createMixedDomains(caller: Caller, count: number): Promise<readonly string[]> {
  const domains = range(1, count).map((id) => toAsciiDomain(mixedDomain(id)));
  await Promise.all(domains.map((domain) => caller.create({ domain })));
  return domains.toSorted();
}

function domainsOf(data: readonly { readonly domain: string }[]): string[] {
  return data.map(({ domain }) => domain);
}

/** The parts of some lengths, and the entire form. */
function partsOf(form: string): string[] {
  const characters = [...form];
  const lengths = [1, 2, 4, characters.length];
  return lengths.flatMap((length) =>
    characters.slice(length - 1).map((_, start) => characters.slice(start, start + length).join("")),
  );
}

function eachOf(found: Findings) {
  return found.flatMap(([ids, terms]) => terms.map((term) => [term, ids] as const));
}
