import { type RawBuilder, sql } from "kysely";
import type { WebsiteMatch } from "../../tables/website-match.ts";
import type { ReadConnection } from "../connection.ts";
import { scanDomains } from "./sqlite-website-domains.ts";
import { rowidOf } from "./website-parts.ts";

/** A part of the domain order, with both ends included. */
interface DomainRange {
  readonly lowest: string;
  readonly highest: string;
}

interface MatchConditions {
  /** The condition for records of the search index. */
  readonly indexed: RawBuilder<unknown>;
  /** The condition for websites that are not indexed yet. */
  readonly recent: RawBuilder<unknown>;
  /** How many match, if that is known. */
  readonly matches: number | undefined;
}

/**
 * Returns a part of the domain order that contains all matches, if they lie together: those of a common beginning do. A sample
 * of the matches says where they may be. They all are, if as many domains match there as in the entire account.
 */
export async function findCluster(
  connection: ReadConnection,
  match: WebsiteMatch,
  conditions: MatchConditions,
): Promise<DomainRange | undefined> {
  const sample = await readSample(connection, match, conditions);
  const around = sample === undefined ? undefined : await findAround(connection, match, sample);
  if (sample === undefined || around === undefined) return undefined;
  const { candidates, columns, isMatch } = scanDomains(match);
  const isAround = sql`${candidates} and domain between ${around.lowest} and ${around.highest}`;
  const maxDomains = maxDomainsPerMatch * sample.total + 2 * margin(sample);
  // Without a limit, counting takes half as long.
  const [counted] = await connection.read(sql<{ matches: number | null }>`
    select case when not exists (select 1 from websites where ${isAround} limit 1 offset ${maxDomains})
      then (select count(*) from (select ${columns} from websites where ${isAround}) as listed where ${isMatch})
      end as matches`);
  return counted?.matches === sample.total ? around : undefined;
}

/** Reading a domain takes 0.1 µs, and finding the domain of a match in the index takes 2 to 3 µs. */
const maxDomainsPerMatch = 2;
/** With more matches than this, they are not counted exactly. Counting them takes 0.1 µs each. */
const maxMatches = 200_000;
/** About how many matches are in a sample, if it is known how many there are. Otherwise there are 10 to 200. */
const sampleSize = 100;
const sampleEveryUnknown = 1_024;

interface Sample extends DomainRange {
  /** How many match. */
  readonly total: number;
  /** One of this many matches is in the sample. */
  readonly every: number;
}

/** Counts all matches, and returns the lowest and the highest domain of a sample of them. */
async function readSample(
  connection: ReadConnection,
  { accountId }: WebsiteMatch,
  { indexed, recent, matches }: MatchConditions,
): Promise<Sample | undefined> {
  const every = matches === undefined ? sampleEveryUnknown : Math.max(1, Math.floor(matches / sampleSize));
  const id = sql`rowid - ${rowidOf(accountId, 0)}`;
  // The factor makes the sample independent of patterns in the ids.
  const isInSample = sql`id * 40503 % 65521 % ${sql.lit(every)} = 0`;
  const [read] = await connection.read(sql<{ total: number; ids: string }>`
    select count(*) as total, json_group_array(id) filter (where ${isInSample}) as ids from (
      select ${id} as id from domain_parts where ${indexed}
      union all select id from websites where ${recent} limit ${sql.lit(maxMatches + 1)}
    )`);
  if (read === undefined || read.total > maxMatches) return undefined;
  const [ends] = await connection.read(sql<{ lowest: string | null; highest: string | null }>`
    select min(domain) as lowest, max(domain) as highest from json_each(${read.ids}) as sample
    cross join websites on websites.account_id = ${accountId} and websites.id = sample.value`);
  const { lowest = null, highest = null } = ends ?? {};
  return lowest === null || highest === null ? undefined : { lowest, highest, total: read.total, every };
}

/** How many domains before and after the sample may also match. */
function margin({ every }: Sample): number {
  return 8 * every;
}

/** Returns the range of the sample with a margin at both ends. */
async function findAround(
  connection: ReadConnection,
  match: WebsiteMatch,
  sample: Sample,
): Promise<DomainRange | undefined> {
  const skip = sql.lit(margin(sample));
  const own = sql`from websites where ${scanDomains(match).candidates}`;
  const [around] = await connection.read(sql<DomainRange>`select
    coalesce((select domain ${own} and domain < ${sample.lowest}
      order by domain desc limit 1 offset ${skip}), '') as lowest,
    coalesce((select domain ${own} and domain > ${sample.highest}
      order by domain limit 1 offset ${skip}), '~') as highest`);
  return around;
}
