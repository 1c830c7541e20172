import { CliError } from "../errors/cli-error.ts";
import { findError } from "../rows/find-error.ts";
import { isObject, parseJson } from "../rows/parse-json.ts";
import { readCsv } from "../rows/read-csv.ts";
import type { AcceptRow } from "../rows/row.ts";
import type { Importer } from "./importer.ts";

/** What of the sites is not in the rows of an import. */
interface ConvertedSites {
  /** How many sites had a value in each field that was dropped. */
  readonly dropped: ReadonlyMap<string, number>;
  /** Values that were dropped, each with its site and reason. */
  readonly droppedValues: readonly string[];
  /** Whether the text is one page of a longer list. */
  readonly isPartial: boolean;
}

/**
 * Reads the sites of another service, from the JSON of its API or from CSV.
 *
 * @param accept called with the row of each site, in order
 * @throws CliError `input_refused` if the text is neither
 */
export function convertSites(text: string, importer: Importer, accept: AcceptRow): ConvertedSites {
  const dropped = new Map<string, number>();
  const droppedValues: string[] = [];
  const isPartial = readSites(text, importer, (row) => {
    if (!("fields" in row)) return accept(row);
    const { place } = row;
    const conversion = importer.convert(row.fields);
    for (const field of conversion.dropped) dropped.set(field, (dropped.get(field) ?? 0) + 1);
    droppedValues.push(...conversion.droppedValues.map((value) => `${place.unit} ${place.number}: ${value}`));
    accept({ place, fields: conversion.fields });
  });
  return { dropped, droppedValues, isPartial };
}

/** Returns whether the text is one page of a longer list. */
function readSites(text: string, importer: Importer, accept: AcceptRow): boolean {
  if (/^\s*</.test(text)) {
    throw new CliError("input_refused", `The file is HTML or XML. Get the sites of ${importer.service} as JSON.`);
  }
  if (!/^\s*[[{]/.test(text)) {
    readCsv(text, accept);
    return false;
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw new CliError("input_refused", `The file ${parsed.reason}.`);
  const sites = importer.findSites(parsed.value);
  if (sites === undefined) throw notSites(parsed.value, importer);
  for (const [index, site] of sites.entries()) {
    const place = { unit: "item", number: index + 1 } as const;
    accept(isObject(site) ? { place, fields: site } : { place, problem: "is not an object" });
  }
  return importer.hasOtherPages?.(parsed.value) === true;
}

function notSites(answer: unknown, { service }: Importer): CliError {
  const error = findError(answer);
  const reason =
    error === undefined ? `not a list of sites of ${service}` : `an error, not sites of ${service}: ${error}`;
  return new CliError("input_refused", `The file is ${reason}.`);
}
