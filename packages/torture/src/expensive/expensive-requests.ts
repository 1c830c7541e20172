import { bytesOf, create, form, get, json, keyed, update, websites } from "../raw/raw-case.ts";
import { fill } from "./fill.ts";
import { listDocuments, listForms } from "./list-bodies.ts";
import { otherDocuments, otherForms } from "./other-bodies.ts";

/** Node accepts headers of 16 KiB, including the target. */
const maxQueryBytes = 15 * 1024;

/** With it, the server also computes a checksum of the fields. */
const idempotencyKey = "Idempotency-Key: expensive";

/** Lists the requests that cost the server the most work, by name and as bytes. `{key}` stands for an API key. */
export function listExpensiveRequests(): [name: string, bytes: string][] {
  return [
    ...writes(form, { ...listForms(), ...otherForms }),
    ...writes(json, { ...listDocuments(), ...otherDocuments }),
    ...queries(),
  ];
}

/** A create and an update of each body. No website has the ID, which the server looks up after it has validated the body. */
function writes(type: string, bodies: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(bodies).flatMap(([name, body]): [string, string][] => [
    [name, create(type, bytesOf(body), idempotencyKey)],
    [`${name}, in an update`, update(`${websites}/999`, type, bytesOf(body))],
  ]);
}

function queries(): [string, string][] {
  const texts = {
    "a query of different parameters": fill((index) => `${index.toString(36)}&`, maxQueryBytes),
    "a query of one parameter repeated": fill(() => "search&", maxQueryBytes),
    "a search of 15 KiB": `search=${fill(() => "a", maxQueryBytes)}`,
    "a search of 253 umlauts": `search=${"%C3%BC".repeat(253)}`,
    "a search of 253 Han characters": `search=${"%E6%BC%A2".repeat(253)}`,
    "a search of escapes": `search=${fill(() => "%20", maxQueryBytes)}`,
    "a search of plus signs": `search=${fill(() => "+", maxQueryBytes)}`,
    "a page of 15 KiB of digits": `page=${fill(() => "1", maxQueryBytes)}`,
    "a cursor of 15 KiB": `cursor=${fill(() => "A", maxQueryBytes)}`,
  };
  return Object.entries(texts).map(([name, text]) => [name, get(`${websites}?${text}`, keyed)]);
}
