// Makes the websites of an account match a CSV file, on Node 22.18 or later: node examples/sync.ts websites.csv [--prune]
// Columns: domain, privacy (Public or Private), email (Disabled or Enabled), exclude_params (names between spaces, commas or line breaks).
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { EmailReports, Privacy, Siteward, SitewardError, toCanonicalDomain } from "@siteward/sdk";
import { type Info, parse } from "csv-parse/sync";

type Row = { domain: string; privacy: string; email: string; exclude_params: string };
/** Takes a name or its number. The service says what is wrong with another cell. */
const toCode = <Code extends number>(codes: Record<string, Code>, cell: string) =>
  codes[cell] ?? Object.values(codes).find((code) => `${code}` === cell) ?? (cell as unknown as Code);
const [path = "websites.csv", prune] = process.argv.slice(2);
const rows: { record: Row; info: Info }[] = parse(readFileSync(path), { bom: true, columns: true, info: true });
const missing = ["domain", "privacy", "email", "exclude_params"].find((name) => rows[0] && !(name in rows[0].record));
if (missing !== undefined) throw new Error(`${path} has no column "${missing}".`);
const { websites } = new Siteward(); // Reads SITEWARD_API_KEY and SITEWARD_BASE_URL.
const all = await websites.list().toArray({ limit: Infinity });
const existing = new Map(all.map((website) => [website.domain, website]));
const listed = new Set<string>();
const count = { created: 0, updated: 0, refused: 0 };
for (const { record, info } of rows) {
  try {
    const domain = toCanonicalDomain(record.domain); // Bücher.example is stored as xn--bcher-kva.example.
    if (listed.has(domain)) continue; // The first row of a domain counts.
    listed.add(domain);
    const [privacy, email] = [toCode(Privacy, record.privacy), toCode(EmailReports, record.email)];
    // The service stores a name once, so a row that repeats one would differ at each run.
    const exclude_params = [...new Set(record.exclude_params.split(/[\s,]+/).filter(Boolean))];
    const settings = { privacy, email, exclude_params };
    if (isDeepStrictEqual({ ...existing.get(domain), ...settings }, existing.get(domain))) continue;
    const { response } = await websites.upsert({ domain, ...settings }).withResponse();
    count[response.status === 201 ? "created" : "updated"] += 1;
  } catch (error) {
    if (!(error instanceof SitewardError) || !["invalid_argument", "validation_failed"].includes(error.code))
      throw error;
    console.error(`${path}:${info.lines}: ${error.message}`);
    count.refused += 1; // Then nothing is deleted, because the domain of this row may be mistyped.
  }
}
const surplus = prune === "--prune" && count.refused === 0 ? all.filter(({ domain }) => !listed.has(domain)) : [];
if (surplus.length > listed.size) throw new Error(`${path} lists too few websites to delete ${surplus.length} others.`);
for (const { id } of surplus) await websites.delete(id);
console.log({ ...count, deleted: surplus.length });
process.exitCode = count.refused === 0 ? 0 : 1;
