import { CliError } from "../../process/cli-error.ts";
import { showValue } from "../../websites/field-reading.ts";
import { readForeignCsv } from "../columns.ts";
import { isObject, maxWebsites, parseJsonFile, type Row, type Rows, readItems, tooManyWebsites } from "../rows.ts";
import { addressesOf, carry, hasValue, joinHosts } from "./carry.ts";
import type { Export, Note, Service } from "./service.ts";
import { type ServiceName, services } from "./table.ts";

/**
 * Reads the sites of another service. The warnings name what is not imported, and what means something else here.
 *
 * @throws CliError `input_refused` if the text has no sites of this service
 */
export function readServiceRows(text: string, name: ServiceName): Rows {
  const service: Service = services[name];
  // Matomo answers in XML unless it is asked for JSON.
  const isJson = /^\s*[[{<]/.test(text);
  const found = findSites(isJson ? parseJsonFile(text) : [], service);
  if (found === undefined) throw new CliError("input_refused", `The file is not a list of sites of ${service.title}.`);
  const rows = isJson ? readItems(found.sites) : readForeignCsv(text);
  const { note, warnings } = takeNotes();
  const { names, others = [], addresses, unsaid } = service;
  const used = new Set(["public", ...addresses, ...Object.values(names), ...others].map(comparable));
  const [dropped, seen] = [new Set<string>(), new Set<string>()];
  const wrong = rows.filter((row): row is Row => "problem" in row);
  const carried = rows.flatMap((row) => {
    if (!("fields" in row)) return [];
    // Settings can be in an object of the site.
    const values = [...Object.values(row.fields).filter(isObject), row.fields].flatMap(Object.entries<unknown>);
    for (const [field, value] of values)
      if (!used.has(comparable(field)) && hasValue(value) && !isObject(value)) dropped.add(field);
    const site = new Map(values.map(([field, value]) => [comparable(field), value]));
    for (const field of site.keys()) seen.add(field);
    const get = (field = ""): unknown => site.get(comparable(field));
    const websites = carry(row.place, get, service, note);
    if (websites.length > 0) return websites;
    const [domain = ""] = addressesOf(get, service);
    const problem = `${showValue(get("name"))} has no address; add one to the file`;
    wrong.push({ place: row.place, ...(domain === "" ? { problem } : { fields: { domain } }) });
    return [];
  });
  if (carried.length > maxWebsites) throw tooManyWebsites();
  const unseen = Object.values(names).filter((field) => !seen.has(comparable(field)));
  const absent = [...found.missing, ...unseen, ...unsaid, "e-mail reports"];
  const ofFile = [
    { head: "These fields have no place in a website and are not imported:", things: [...dropped] },
    { head: "The file does not contain these. Set what matters:", things: absent },
  ];
  return { rows: [...wrong, ...joinHosts(carried, note)], warnings: [...warnings(), ...ofFile] };
}

/** The header of CSV is read in lower case, and tables have `share_id` for `shareId`. */
function comparable(field: string): string {
  return field.toLowerCase().replaceAll(/[_!]/g, "");
}

/** Collects notes as warnings: a line for each domain and advice, with its values. */
function takeNotes() {
  const kinds = new Map<string, Map<string, Set<string>>>();
  const note: Note = (kind, line, value = "", advice = "") => {
    const lines = kinds.get(kind) ?? new Map<string, Set<string>>();
    const key = `${line}${value && (line.includes(": ") ? " \0" : ": \0")}${advice && `: ${advice}`}`;
    kinds.set(kind, lines.set(key, (lines.get(key) ?? new Set()).add(value)));
  };
  const textOf = ([key, values]: [string, Set<string>]) => key.replace("\0", () => [...values].join(", "));
  return { note, warnings: () => [...kinds].map(([head, lines]) => ({ head, things: [...lines].map(textOf) })) };
}

/**
 * Refuses an answer of another service, or a record with the columns of its CSV: its sites would be public.
 *
 * @throws CliError `input_refused`
 */
export function refuseServices(content: unknown): void {
  const counted = Object.entries<Service>(services).map(([name, service]) => {
    const parts = [content, findSites(content, service)?.sites[0]].filter(isObject);
    const found = new Set(parts.flatMap(Object.keys).map(comparable));
    return { name, ...service, count: service.ownFields.filter((field) => found.has(comparable(field))).length };
  });
  const { count, title, name } = counted.reduce((best, other) => (other.count > best.count ? other : best));
  if (count < 2) return;
  const next = `To import them, add --from ${name}.`;
  throw new CliError("input_refused", `The file looks like the sites of ${title}.`, next);
}

/** Finds the sites in an answer, in an array of answers, or in an array of sites. */
function findSites(content: unknown, { open, list = "" }: Service): Export | undefined {
  if (open !== undefined) return open(content);
  const items = [content].flat().map(Object);
  const answers = items.filter((item) => Array.isArray(item[list]));
  const sites = answers.length > 0 ? answers.flatMap((answer) => answer[list]) : content;
  if (!Array.isArray(sites)) return undefined;
  const totals = answers.flatMap(({ count, total, result_info }) => [count, total, Object(result_info).total_count]);
  const others = [Object(answers[0]?.meta).before, Object(answers.at(-1)?.meta).after];
  const isMore = totals.some((total) => typeof total === "number" && total > sites.length);
  const isPart = isMore || others.some((page) => typeof page === "string");
  return { sites, missing: isPart ? ["the other pages of the list"] : [] };
}
