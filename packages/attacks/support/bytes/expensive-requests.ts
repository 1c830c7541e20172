import { expensiveDocuments, expensiveForms } from "./expensive-bodies.ts";
import { expensiveLists } from "./expensive-lists.ts";
import { fill } from "./fill.ts";
import { bytesOf, create, form, get, json, keyed, update, websites } from "./raw-requests.ts";

/** Node accepts headers of 16 KiB, including the target. */
const maxQueryBytes = 15 * 1024;

/** With it, the server also computes a checksum of the fields. */
const idempotencyKey = "Idempotency-Key: expensive";

const queries = [
  ...[fill((index) => `${index.toString(36)}&`, maxQueryBytes), `search=${"%E6%BC%A2".repeat(253)}`],
  ...[`search=${fill(() => "%20", maxQueryBytes)}`, `cursor=${fill(() => "A", maxQueryBytes)}`],
];

/** The requests that cost the server the most work, as bytes. `{key}` stands for an API key. */
export const expensiveRequests: readonly string[] = [
  ...[...expensiveLists.forms, ...expensiveForms].flatMap((body) => writes(form, body)),
  ...[...expensiveLists.documents, ...expensiveDocuments].flatMap((body) => writes(json, body)),
  ...queries.map((query) => get(`${websites}?${query}`, keyed)),
];

/** A create and an update. No website has the ID, which the server looks up after it has validated the body. */
function writes(type: string, body: string): string[] {
  return [create(type, bytesOf(body), idempotencyKey), update(`${websites}/999`, type, bytesOf(body))];
}
