import { type EntryGrammar, entryGrammars } from "@siteward/contract/plain";
import { CliError } from "../process/cli-error.ts";
import { splitEntries } from "../websites/field-reading.ts";
import { readForeignCsv } from "./columns.ts";
import { isObject, parseJsonFile, type Row, type Rows, readItems } from "./rows.ts";

type Fields = Readonly<Record<string, unknown>>;

/** How the sites of another service are read: private, unless they state that they are public. */
interface Service {
  /** As people know it. */
  readonly title: string;
  /** Fields that most lists of people do not have. A file with two of them is recognized. */
  readonly ownFields: readonly string[];
  /** The fields of a website, by their names there. */
  readonly names: Readonly<Partial<Record<"public" | "exclude_ips" | "exclude_params", string>> & { domain: string }>;
  /** Returns the sites in what its API answers with; undefined if this is not such an answer. */
  readonly findSites: (answer: unknown) => unknown;
  /** Whether the answer is one page of a longer list. */
  readonly isPage?: (answer: Fields) => boolean;
}

/** Every service whose sites can be imported, from the JSON of its API or from CSV. */
const services = {
  /**
   * `GET /api/v1/sites` (https://plausible.io/docs/sites-api), or the table `sites`. `shield_rules_ip` has blocked
   * addresses.
   */
  plausible: {
    title: "Plausible",
    ownFields: ["sites", "timezone", "public", "custom_properties", "stats_start_date", "shield_rules_ip"],
    names: { domain: "domain", public: "public", exclude_ips: "shield_rules_ip" },
    findSites: (answer) => (isObject(answer) ? answer["sites"] : answer),
    isPage: ({ meta }) => isObject(meta) && [meta["after"], meta["before"]].some((page) => typeof page === "string"),
  },
  /**
   * `SitesManager.getAllSites` (an object by ID) and `SitesManager.getSitesWithAtLeastViewAccess` (an array)
   * (https://developer.matomo.org/api-reference/reporting-api#SitesManager).
   */
  matomo: {
    title: "Matomo",
    ownFields: ["idsite", "main_url", "excluded_ips", "excluded_parameters", "ts_created", "sitesearch"],
    names: { domain: "main_url", exclude_ips: "excluded_ips", exclude_params: "excluded_parameters" },
    findSites: (answer) => {
      const sites = isObject(answer) ? Object.values(answer) : answer;
      const areSites = Array.isArray(sites) && sites.every((site) => isObject(site) && "main_url" in site);
      return areSites ? sites : undefined;
    },
  },
  /** `GET /api/websites` (https://umami.is/docs/api/websites). It excludes nothing per website. */
  umami: {
    title: "Umami",
    ownFields: ["shareId", "teamId", "userId", "resetAt", "createdBy", "deletedAt"],
    names: { domain: "domain" },
    findSites: (answer) => (isObject(answer) ? answer["data"] : answer),
    isPage: ({ data, count }) => Array.isArray(data) && typeof count !== "object" && Number(count) > data.length,
  },
} as const satisfies Record<string, Service>;

/** The name of a service whose sites can be imported. */
export type ServiceName = keyof typeof services;

export const serviceNames: readonly string[] = Object.keys(services);

/**
 * Reads the sites of another service. The warnings name what is not imported.
 *
 * @throws CliError `input_refused` if the text has no sites of this service
 */
export function readServiceRows(text: string, name: ServiceName): Rows {
  const service: Service = services[name];
  const { sites, isPage } = readSites(text, service);
  const used = Object.values(service.names);
  const fields = new Set<string>();
  const values: string[] = [];
  const rows = sites.map((row): Row => {
    if (!("fields" in row)) return row;
    const { place, fields: site } = row;
    for (const field of Object.keys(site)) if (!used.includes(field) && hasValue(site[field])) fields.add(field);
    const drop = (value: string): void => void values.push(`${place.unit} ${place.number}: ${value}`);
    return { place, fields: convert(site, service, drop) };
  });
  const warnings = [
    { head: "These fields have no place in a website and are not imported:", things: [...fields] },
    { head: "These values are not imported:", things: values },
    ...(isPage ? ["The file is one page of a longer list. Import the other pages too."] : []),
  ];
  return { rows, warnings };
}

/** A list of people can have one field of a name that a service has too, such as the time zone of a client. */
const minOwnFields = 2;

/**
 * Refuses the sites of another service, by the fields of its answer and of the first of its sites: read as websites,
 * they would be public.
 *
 * @param content an answer of its API, or a record with the columns of a CSV file
 * @throws CliError `input_refused`
 */
export function refuseServices(content: unknown): void {
  for (const [name, { title, findSites, ownFields }] of Object.entries(services)) {
    const sites = findSites(content);
    const site: unknown = Array.isArray(sites) ? sites[0] : content;
    const found = new Set([content, site].filter(isObject).flatMap(Object.keys).map(comparable));
    if (ownFields.filter((field) => found.has(comparable(field))).length < minOwnFields) continue;
    const next = `To import them, add --from ${name}.`;
    throw new CliError("input_refused", `The file looks like the sites of ${title}.`, next);
  }
}

/** The header of CSV is read in lower case, and tables have `share_id` for `shareId`. */
function comparable(field: string): string {
  return field.toLowerCase().replaceAll("_", "");
}

function readSites(text: string, service: Service): { readonly sites: readonly Row[]; readonly isPage: boolean } {
  // Matomo answers in XML unless it is asked for JSON.
  if (!/^\s*[[{<]/.test(text)) return { sites: readForeignCsv(text), isPage: false };
  const answer = parseJsonFile(text);
  const sites = service.findSites(answer);
  if (Array.isArray(sites))
    return { sites: readItems(sites), isPage: isObject(answer) && service.isPage?.(answer) === true };
  throw new CliError("input_refused", `The file is not a list of sites of ${service.title}.`);
}

/**
 * Returns the fields of a website. What it cannot have is dropped, each value by itself, so that it does not refuse the
 * website.
 */
function convert(site: Fields, { names }: Service, drop: (value: string) => void): Fields {
  const [url, level] = [site[names.domain], names.public && site[names.public]];
  const isPublic = typeof level !== "object" && ["true", "t", "1"].includes(String(level).toLowerCase());
  const keepValid = (field: string | undefined, { parseEntry }: EntryGrammar): readonly string[] =>
    entriesOf(field && site[field]).filter((entry) => {
      // Matomo accepts regular expressions between slashes.
      const parsed = entry.startsWith("/") ? { ok: false, reason: "is a regular expression" } : parseEntry(entry);
      if ("reason" in parsed)
        drop(`${field} ${JSON.stringify(entry.slice(0, 60))} ${parsed.reason.split("; send ")[0]}`);
      return parsed.ok;
    });
  return {
    // A URL of Matomo that has more than a host is read as any other URL, which a warning names.
    domain: typeof url === "string" ? url.replace(/^https?:\/\/([^/?#:@]+)\/?$/i, "$1") : url,
    privacy: isPublic ? "public" : "private",
    exclude_ips: keepValid(names.exclude_ips, entryGrammars.exclude_ips),
    exclude_params: keepValid(names.exclude_params, entryGrammars.exclude_params),
  };
}

/** Returns the entries of an array or a comma-separated string, or the addresses that rules of Plausible deny. */
function entriesOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value])
    .map((item: unknown) => (isObject(item) && item["action"] !== "allow" ? item["inet"] : item))
    .flatMap((item) => (typeof item === "string" ? splitEntries(item) : []));
}

/** What is empty, zero or false loses nothing. */
function hasValue(value: unknown): boolean {
  // The text of an object of a stranger can be an error.
  if (typeof value === "object" && value !== null) return !Array.isArray(value) || value.length > 0;
  return !["", "0", "f", "false"].includes(String(value ?? ""));
}
