// Makes the websites of an account match a CSV file: node examples/sync.ts websites.csv [--prune]
// Columns: domain, privacy (Public or Private), email (Disabled or Enabled), exclude_params (separated by spaces).
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { EmailReports, isSitewardError, Privacy, Siteward, toCanonicalDomain } from "@siteward/sdk";
import { parse } from "csv-parse/sync";

type Row = { domain: string; privacy: keyof typeof Privacy; email: keyof typeof EmailReports; exclude_params: string };
const [path = "websites.csv", prune] = process.argv.slice(2);
const rows: { record: Row; info: { lines: number } }[] = parse(readFileSync(path), { columns: true, info: true });

const { websites } = new Siteward(); // Reads SITEWARD_API_KEY and SITEWARD_BASE_URL.
const all = await websites.list().toArray({ limit: Infinity });
const existing = new Map(all.map((website) => [website.domain, website]));
const listed = new Set<string>();
const count = { created: 0, updated: 0, refused: 0 };

for (const { record, info } of rows) {
  try {
    const domain = toCanonicalDomain(record.domain); // Bücher.example is stored as xn--bcher-kva.example.
    if (listed.has(domain)) continue;
    listed.add(domain);
    const privacy = Privacy[record.privacy] ?? record.privacy; // The service says what is wrong with an unknown name.
    const email = EmailReports[record.email] ?? record.email;
    const settings = { privacy, email, exclude_params: record.exclude_params.split(" ").filter(Boolean) };
    if (isDeepStrictEqual({ ...existing.get(domain), ...settings }, existing.get(domain))) continue;
    const { response } = await websites.upsert({ domain, ...settings }).withResponse();
    count[response.status === 201 ? "created" : "updated"] += 1;
  } catch (error) {
    if (!isSitewardError(error)) throw error;
    console.error(`${path}:${info.lines}: ${error.message}`);
    count.refused += 1;
  }
}
// Nothing is deleted if a row was refused, because its domain may be mistyped.
const surplus = prune === "--prune" && count.refused === 0 ? all.filter(({ domain }) => !listed.has(domain)) : [];
for (const { id } of surplus) await websites.delete(id);
console.log({ ...count, deleted: surplus.length });
process.exitCode = count.refused === 0 ? 0 : 1;
