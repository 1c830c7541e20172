import { coversNetwork, type IpNetwork, parseIpNetwork } from "@siteward/sdk/fields";
import { choices, lists } from "../words/settings.ts";
import { toName } from "../words/text.ts";
import { type Route, readQuery, withQuery } from "./route.ts";
import { type Row, toTerm } from "./websites.ts";

type Test = (row: Row) => boolean;

/** What can be asked about entries of lists. */
export const questions = lists.flatMap(({ field, noun }) => [
  { value: `${field}`, field, isAsked: true, label: `Has ${noun}` },
  { value: `-${field}`, field, isAsked: false, label: `Lacks ${noun}` },
]);

const filterFields = ["search", "entry", ...choices.map(({ field }) => field)];

export const isFiltered = (query: URLSearchParams) => filterFields.some((field) => query.has(field));

/** Returns the link to the same list without its filter. */
export function withoutFilter(route: Route): string {
  return withQuery(route, { page: "", ask: "", ...Object.fromEntries(filterFields.map((field) => [field, ""])) });
}

/** Returns the rows that the URL asks for, in its order, those of each client, and what it asks that cannot be. */
export function findRows(all: readonly Row[], query: URLSearchParams) {
  const entry = entryTest(query);
  const isWrong = typeof entry === "string";
  const tests = [textTest(query), ...choices.map((choice) => choiceTest(choice, query)), ...(isWrong ? [] : [entry])];
  const found = all.filter((row) => tests.every((test) => test(row)));
  if (readQuery(query).sort === "desc") found.reverse();
  const fault = isWrong ? entry : "";
  if (query.get("group") !== "client") return { found, fault };
  const groups = [...Map.groupBy(found, ({ domain }) => clientOf(domain))];
  const clients = new Map(groups.sort(([one], [other]) => (one < other ? -1 : 1)));
  return { found: [...clients.values()].flat(), clients, fault };
}

function textTest(query: URLSearchParams): Test {
  const term = toTerm(query.get("search") ?? "");
  return ({ domain }) => domain.includes(term) || toName(domain).includes(term);
}

function choiceTest({ field, names }: (typeof choices)[number], query: URLSearchParams): Test {
  const value = Number(query.get(field) || Number.NaN);
  return (row) => names[value] === undefined || row[field] === value;
}

/** A parameter is excluded if an entry or its prefix says so. @returns what is wrong with the entry, if it cannot be */
function entryTest(query: URLSearchParams): Test | string {
  const entry = (query.get("entry") ?? "").trim();
  const question = questions.find(({ value }) => value === query.get("ask")) ?? questions[0];
  if (entry === "" || question === undefined) return () => true;
  const { field, isAsked } = question;
  const isLike = (one: string) => one === entry || (one.endsWith("*") && entry.startsWith(one.slice(0, -1)));
  const excludes = field === "exclude_ips" ? addressTest(entry) : isLike;
  return typeof excludes === "string" ? excludes : (row) => row[field].some(excludes) === isAsked;
}

/** An address or a network is excluded if one entry contains all of it. */
function addressTest(text: string): ((entry: string) => boolean) | string {
  const wanted = networkOf(text);
  if (wanted === undefined) return `“${text}” is not an IP address or network. Type one such as 203.0.113.7.`;
  const verdicts = new Map<string, boolean>();
  return (entry) => {
    const known = verdicts.get(entry);
    if (known !== undefined) return known;
    const network = networkOf(entry);
    const verdict = network !== undefined && coversNetwork(network, wanted);
    verdicts.set(entry, verdict);
    return verdict;
  };
}

function networkOf(entry: string): IpNetwork | undefined {
  const parsed = parseIpNetwork(entry);
  return parsed.ok ? parsed.value : undefined;
}

/**
 * Second levels under which a country registers domains. The whole public suffix list is 200 kB. A client is only a
 * heading, so a rare suffix that is missing here puts too many websites under one, and changes nothing.
 */
const secondLevels = new Set("ac,asso,co,com,edu,gob,gouv,gov,go,in,mil,ne,net,nom,or,org".split(","));

/** Returns the domain that somebody registered, for which `shop.client.co.uk` belongs to `client.co.uk`. */
export function clientOf(domain: string): string {
  const last = domain.lastIndexOf(".");
  const second = domain.lastIndexOf(".", last - 1);
  const isCountrys = domain.length - last === 3 && secondLevels.has(domain.slice(second + 1, last));
  return domain.slice((isCountrys ? domain.lastIndexOf(".", second - 1) : second) + 1);
}
