import type { WebsiteSettings } from "@siteward/contract/plain";
import { createFakeSiteward, type FakeSiteward } from "@siteward/sdk/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSiteFile } from "../src/files/site/format.ts";
import { isDone } from "../src/sync/result.ts";
import { completeSettings } from "../src/websites/settings.ts";
import { apply, planOf, writesTo } from "./support/apply-file.ts";
import { buildWebsite } from "./support/build-website.ts";

type Listed = ReadonlyMap<string, Partial<WebsiteSettings>>;

const domain = fc.constantFrom("a.example", "b.example", "c.example", "xn--bcher-kva.example");
const settings = fc.record(
  {
    privacy: fc.constantFrom(0 as const, 1 as const, 2 as const),
    email: fc.constantFrom(0 as const, 1 as const),
    exclude_bots: fc.constantFrom(0 as const, 1 as const),
    exclude_params: fc.uniqueArray(fc.constantFrom("a", "b", "utm_*", "null"), { maxLength: 4 }),
    exclude_ips: fc.uniqueArray(fc.constantFrom("203.0.113.0/24", "::1"), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
/** An edit of the file: a website gets these settings, or its lines are removed. */
const edit = fc.record({ domain, settings: fc.option(settings), isPruned: fc.boolean() });

async function textOf(listed: Listed): Promise<string> {
  return await formatSiteFile(Array.from(listed, ([name, stated]) => buildWebsite(1, name, stated)));
}

function stateOf(fake: FakeSiteward): Map<string, WebsiteSettings> {
  return new Map(fake.websites.map((website) => [website.domain, completeSettings(website)]));
}

test("after any sequence of edits, each planned and applied, the account is exactly what the file states", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 8 }), async (edits) => {
      const fake = createFakeSiteward();
      const listed = new Map<string, Partial<WebsiteSettings>>();
      const unlisted = new Map<string, WebsiteSettings>();
      for (const { domain: name, settings: stated, isPruned } of edits) {
        if (stated === null) listed.delete(name);
        else listed.set(name, stated);
        const text = await textOf(listed);
        const before = stateOf(fake);
        const results = await apply(fake, await planOf(fake, text, isPruned));
        expect(results.filter((result) => !isDone(result))).toEqual([]);
        unlisted.clear();
        for (const [other, state] of isPruned ? [] : before) if (!listed.has(other)) unlisted.set(other, state);
        const expected = new Map([
          ...unlisted,
          ...Array.from(listed, ([key, value]) => [key, completeSettings(value)] as const),
        ]);
        expect(stateOf(fake)).toEqual(expected);
        const writes = writesTo(fake).length;
        await apply(fake, await planOf(fake, text, isPruned));
        expect(writesTo(fake)).toHaveLength(writes);
      }
    }),
    { numRuns: 50 },
  );
});
