import type { Database } from "../engines/database.ts";
import type { KeyedCreate } from "./keyed-create.ts";

/** Checks that the domain of each create is stored once and nothing else is, and that each website is recorded once. */
export async function checkOnce(database: Database, creates: readonly KeyedCreate[]): Promise<string[]> {
  const domains = creates.map(({ body }) => body.domain);
  const rows = await database.query("select domain from websites");
  const stored = rows.map((row) => String(row["domain"])).toSorted();
  const wanted = domains.toSorted();
  const extra = stored.filter((domain, index) => domain === stored[index - 1] || !domains.includes(domain));
  const missing = wanted.filter((domain) => !stored.includes(domain));
  const [audit] = await database.query(
    "select count(*) as created from audit_entries where action = 'website.created'",
  );
  const created = Number(audit?.["created"]);
  return [
    ...(extra.length > 0 ? [`Stored, but sent never or twice: ${extra.join(", ")}.`] : []),
    ...(missing.length > 0 ? [`Acknowledged, but not stored: ${missing.join(", ")}.`] : []),
    ...(created === domains.length ? [] : [`The audit trail has ${created} creations of ${domains.length} websites.`]),
    ...(await database.findDamage()),
  ];
}
