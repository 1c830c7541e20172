import { bytesOf, create, form, get, json, keyed, websites } from "../raw/raw-case.ts";
import { fill } from "./fill.ts";
import { listDocuments, listForms } from "./list-bodies.ts";
import { otherDocuments, otherForms } from "./other-bodies.ts";

/** Node accepts headers of 16 KiB, including the target. */
const maxQueryBytes = 15 * 1024;

/** With it, the server also computes a checksum of the fields. */
const idempotencyKey = "Idempotency-Key: expensive";

/** Lists the requests that cost the server the most work, by name and as bytes. `{key}` stands for an API key. */
export function listExpensiveRequests(): [name: string, bytes: string][] {
  return Object.entries({
    ...creates(form, { ...listForms(), ...otherForms }),
    ...creates(json, { ...listDocuments(), ...otherDocuments }),
    ...queries(),
  });
}

function creates(type: string, bodies: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(bodies);
  return Object.fromEntries(entries.map(([name, body]) => [name, create(type, bytesOf(body), idempotencyKey)]));
}

function queries(): Record<string, string> {
  const texts = {
    "a query of different parameters": fill((index) => `${index.toString(36)}&`, maxQueryBytes),
    "a query of one parameter repeated": fill(() => "search&", maxQueryBytes),
    "a search of 15 KiB": `search=${fill(() => "a", maxQueryBytes)}`,
    "a search of 253 umlauts": `search=${"%C3%BC".repeat(253)}`,
    "a search of 253 Han characters": `search=${"%E6%BC%A2".repeat(253)}`,
    "a search of plus signs": `search=${fill(() => "+", maxQueryBytes)}`,
    "a page of 15 KiB of digits": `page=${fill(() => "1", maxQueryBytes)}`,
    "a cursor of 15 KiB": `cursor=${fill(() => "A", maxQueryBytes)}`,
  };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, get(`${websites}?${text}`, keyed)]));
}
