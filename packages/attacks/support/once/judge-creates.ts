import type { Database } from "@siteward/testing/engines/database";
import type { RawAnswer } from "../client/raw-connection.ts";
import { isReplay, type KeyedCreate, meaningOf } from "./keyed-creates.ts";

/**
 * Returns how the answers to a create break the promise, one line each. One of them is the outcome, all others with the same
 * meaning are replays that equal it, and the rest say that there is no outcome yet.
 *
 * @param outcome what the outcome must mean, such as "created"
 * @param others what the other answers may mean
 */
export function judgeCreate(
  { key, answers }: KeyedCreate,
  outcome: string,
  others: readonly string[] = ["idempotency_in_progress"],
): string[] {
  const final = answers.filter((answer) => meaningOf(answer) === outcome);
  const strange = answers.filter((answer) => ![outcome, ...others].includes(meaningOf(answer)));
  const firsts = final.filter((answer) => !isReplay(answer));
  const [wanted, ...different] = new Set(final.map(toComparable));
  return [
    ...(wanted === undefined ? [`No answer to ${key} is ${outcome}.`] : []),
    ...(firsts.length > 1 ? [`${firsts.length} answers to ${key} are not replays.`] : []),
    ...different.map((answer) => `${key} was answered with ${answer} and with ${wanted}`),
    ...strange.map(({ status, text }) => `${key} was answered with ${status} ${text}`),
  ];
}

/** Returns everything of an answer that its replay must repeat. The id of a request is its own. */
function toComparable({ status, headers, text, json }: RawAnswer): string {
  const body = status === 201 ? text : { ...(json as object), request_id: undefined };
  return JSON.stringify([status, headers.get("etag"), headers.get("location"), headers.get("content-type"), body]);
}

/** Checks that the domain of each create is stored once and nothing else is, and that each website is recorded once. */
export async function checkOnce(database: Database, creates: readonly KeyedCreate[]): Promise<string[]> {
  const domains = creates.map(({ body }) => body.domain);
  const rows = await database.query("select domain from websites");
  const stored = rows.map((row) => String(row["domain"])).toSorted();
  const extra = stored.filter((domain, index) => domain === stored[index - 1] || !domains.includes(domain));
  const missing = domains.filter((domain) => !stored.includes(domain));
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
