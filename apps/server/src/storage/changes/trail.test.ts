import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Website } from "@siteward/contract";
import type { NewWebsite, WebsiteChange } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { engines, type TestDatabase } from "../../../test/support/engines.ts";
import { fullLists } from "../../../test/support/full-lists.ts";
import { accountId, newWebsite, openTestAccount, type TestStorage } from "../../../test/support/storage.ts";
import type { EngineName } from "../engine/choose-engine.ts";

/** The cells of each row of the table, by the first one. */
const documented = new Map(readTable());
const many = 300;
const few = 12;
/** How many times as much as it counts a change takes at most, as docs/operating.md says. */
const most: Readonly<Record<EngineName, number>> = { sqlite: 4, postgres: 1.6 };
const by = { apiKey: "swk_Ab3dEf9h", operator: null, requestId: "01890a5d-ac96-774b-bcce-b302099a8057" };

/** How many bytes the audit trail and the outcomes of requests take on the disk, with their indexes. */
const sizes: Readonly<Record<EngineName, string>> = {
  sqlite: "select sum(pgsize) from dbstat where name glob '*audit_entries*' or name glob '*idempotency_keys*'",
  postgres: "select pg_total_relation_size('audit_entries') + pg_total_relation_size('idempotency_keys')",
};

describe.each(Object.keys(sizes) as EngineName[])("what a change leaves on the disk (%s)", (name) => {
  it("is what docs/capacity.md says, and at most so many times what it counts", async () => {
    // Never at midnight.
    let nowMs = Date.UTC(2026, 0);
    await using storage = await openTestAccount(engines[name], { now: () => (nowMs += 1) });
    const measured = new Map<string, Use>();
    const measure = async (change: string, count: number, make: (index: number) => Promise<unknown>) => {
      const before = await readUse(storage.database);
      for (let start = 0; start < count; start += 100) {
        const length = Math.min(100, count - start);
        await Promise.all(Array.from({ length }, (_, index) => make(start + index)));
      }
      const after = await readUse(storage.database);
      const bytes = (after.bytes - before.bytes) / count;
      measured.set(change, { bytes, counted: (after.counted - before.counted) / count });
    };
    const { create, update, remove } = changesOf(storage, accountId);
    // The first pages of each table.
    await Promise.all(Array.from({ length: few }, (_, index) => create(`${index}.example`, {}, `first-${index}`)));
    await measure("create a website", many, (index) => create(`shop-${index}.example.com`));
    const key = (index: number) => `01890a5d-ac96-774b-bcce-${String(index).padStart(12, "0")}`;
    const keyed = (index: number) => create(`blog-${index}.example.com`, {}, key(index));
    await measure("the same with an idempotency key", many, keyed);
    await measure("update one field", many, (index) => update(index + 1, { privacy: 1 }));
    await measure("delete a website", many, (index) => remove(index + 1));
    await measure("create a website with both lists full", few, (index) =>
      create(`full-${index}.example.com`, fullLists(index)),
    );
    const first = few + 2 * many + 1;
    await measure("remove an entry of a list of 500", 300, () =>
      update(first, ({ exclude_ips }) => ({ exclude_ips: exclude_ips.slice(1) })),
    );
    await update(first, fullLists(0));
    await measure("replace both lists", few, (index) => update(first + index, fullLists(index + few)));
    await measure("delete it", few, (index) => remove(first + index));
    const longest = (number: number) => ({ ...fullLists(number), exclude_params: longestNames(number) });
    const last = await create("longest.example.com", longest(0));
    const replaceLongest = (index: number) => update(last.website.id, longest(index + 1));
    await measure("replace both lists, with names of 512 bytes", few, replaceLongest);
    // A row of 1,003 bytes is the shortest one that SQLite gives a page of its own.
    const shorten = (name: string) => name.slice(0, 60);
    const replaceSeven = (index: number) =>
      update(last.website.id, { exclude_params: fullLists(index).exclude_params.slice(0, 7).map(shorten) });
    await replaceSeven(many);
    await measure("replace 420 bytes of names", many, replaceSeven);
    // In descending order, keys leave half of each page empty.
    const refuse = (index: number) => create("longest.example.com", {}, `${9_999 - index}`.padEnd(255, "k"));
    await measure("refuse a create with a key of 255 characters", many, (index) =>
      expect(refuse(index)).rejects.toMatchObject({ code: "domain_taken" }),
    );
    for (const [change, { bytes, counted }] of measured) {
      const row = documented.get(change) ?? expect.fail(`docs/capacity.md has no row "${change}".`);
      // A page of an engine is a fiftieth of what a hundred small changes take.
      expect.soft(Math.abs(bytes - row[name]), `${change}: ${bytes}`).toBeLessThan(60 + row[name] * 0.15);
      expect.soft(Math.abs(counted - row.counted), `${change} counts as ${counted}`).toBeLessThan(row.counted * 0.03);
      expect.soft(bytes, change).toBeLessThan(counted * most[name]);
    }
    expect(measured.size).toBe(documented.size);
  });
});

/** What is on the disk, and what counts for it. */
interface Use {
  readonly bytes: number;
  readonly counted: number;
}

async function readUse({ engine, execute }: TestDatabase): Promise<Use> {
  const [row] = await execute(`select (${sizes[engine]}) as bytes, (select sum(trail_bytes) from accounts) as counted`);
  return { bytes: Number(row?.["bytes"]), counted: Number(row?.["counted"]) };
}

function changesOf({ websites }: TestStorage, accountId: number) {
  return {
    create: (domain: string, settings: Partial<NewWebsite> = {}, key?: string) => {
      const idempotency = key === undefined ? undefined : { key, fingerprint: "f".repeat(43) };
      return websites.create(accountId, newWebsite(domain, settings), { by, idempotency });
    },
    update: (id: number, change: WebsiteChange | ((website: Website) => WebsiteChange)) => {
      const decide = typeof change === "function" ? change : () => change;
      return websites.update(accountId, id, ({ website }) => decide(website), by);
    },
    remove: (id: number) => websites.delete(accountId, id, undefined, by),
  };
}

/** Returns 100 names of 128 characters, each of which takes four bytes. */
function longestNames(number: number): string[] {
  return Array.from({ length: 100 }, (_, index) => {
    const parts = Array.from({ length: 4 }, (_, part) => hash("sha512", `${number} ${index} ${part}`, "buffer"));
    const bytes = Buffer.concat(parts);
    const characters = Array.from({ length: 128 }, (_, place) => 0x20000 + (bytes.readUInt16BE(place * 2) % 0xa6df));
    return String.fromCodePoint(...characters);
  });
}

interface DocumentedCost {
  readonly sqlite: number;
  readonly postgres: number;
  readonly counted: number;
}

function readTable(): [string, DocumentedCost][] {
  const page = readFileSync(new URL("../../../../../docs/capacity.md", import.meta.url), "utf8");
  const [, section = ""] = page.split("## The cost of a change\n");
  const rows = section.split("\n##")[0]?.matchAll(/^\| ([^|]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$/gm) ?? [];
  return [...rows].map(([, change = "", ...cells]) => {
    const [sqlite = 0, postgres = 0, counted = 0] = cells.map((cell) => Number(cell.replaceAll(",", "")));
    return [change, { sqlite, postgres, counted }];
  });
}
