import { CliError } from "../errors/cli-error.ts";
import { findError } from "../rows/find-error.ts";
import { isObject, parseJson } from "../rows/parse-json.ts";
import { readCsv } from "../rows/read-csv.ts";
import type { Row, Rows } from "../rows/row.ts";
import type { Importer } from "./importer.ts";

/** The rows of an import, and what of the sites they do not contain. */
interface ConvertedSites {
  readonly rows: Rows;
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
 * @throws CliError `input_refused` if the text is neither
 */
export function convertSites(text: string, importer: Importer): ConvertedSites {
  const { rows, isPartial } = readRows(text, importer);
  const dropped = new Map<string, number>();
  const droppedValues: string[] = [];
  const convert = ({ place, fields }: Row): Row => {
    const conversion = importer.convert(fields);
    for (const field of conversion.dropped) dropped.set(field, (dropped.get(field) ?? 0) + 1);
    droppedValues.push(...conversion.droppedValues.map((value) => `${place.unit} ${place.number}: ${value}`));
    return { place, fields: conversion.fields };
  };
  return { rows: rows.map((row) => ("fields" in row ? convert(row) : row)), dropped, droppedValues, isPartial };
}

function readRows(text: string, importer: Importer): Pick<ConvertedSites, "rows" | "isPartial"> {
  if (/^\s*</.test(text)) {
    throw new CliError("input_refused", `The file is HTML or XML. Get the sites of ${importer.service} as JSON.`);
  }
  if (!/^\s*[[{]/.test(text)) return { rows: readCsv(text), isPartial: false };
  const parsed = parseJson(text);
  if (!parsed.ok) throw new CliError("input_refused", `The file ${parsed.reason}.`);
  const sites = importer.findSites(parsed.value);
  if (sites === undefined) throw notSites(parsed.value, importer);
  const rows = sites.map((site, index): Rows[number] => {
    const place = { unit: "item", number: index + 1 } as const;
    return isObject(site) ? { place, fields: site } : { place, problem: "is not an object" };
  });
  return { rows, isPartial: importer.hasOtherPages?.(parsed.value) === true };
}

function notSites(answer: unknown, { service }: Importer): CliError {
  const error = findError(answer);
  const reason =
    error === undefined ? `not a list of sites of ${service}` : `an error, not sites of ${service}: ${error}`;
  return new CliError("input_refused", `The file is ${reason}.`);
}
