import type { CountedHosts, Verdict } from "@siteward/rules";
import type { Website } from "@siteward/sdk";
import type { BoundedLine } from "../files/bounded-lines.ts";
import { isObject, parseLine } from "../files/rows.ts";
import type { Column, View } from "../output/view.ts";
import { showValue } from "../websites/field-reading.ts";

/** A visit as a command line or a line of NDJSON states it. A field that is null is not stated. */
export interface StatedVisit {
  readonly url?: unknown;
  /** Not compared with `exclude_ips` if it is not stated. */
  readonly ip?: unknown;
  /** Not judged by `exclude_bots` if it is not stated. Empty if the visitor sent none, which only bots do. */
  readonly user_agent?: unknown;
}

/** The name of a field of a visit. */
type VisitField = keyof StatedVisit;

/** A verdict, or what is wrong with a field of the visit, without its name: "is missing; send …". */
type Judgement = Verdict | { readonly field: VisitField; readonly fault: string };

/** Judges visits of one website. */
export type Judge = (visit: StatedVisit) => Judgement;

/** Compiles the rules of a website. Loads the library of the rules. */
export async function createJudge(website: Website, hosts: CountedHosts): Promise<Judge> {
  const { compileRules, InvalidVisitError } = await import("@siteward/rules");
  const rules = compileRules(website, { hosts });
  // The library judges a visit without a user agent as one of a bot, which a person who does not name one did not ask.
  const withoutBots = compileRules({ ...website, exclude_bots: 0 }, { hosts });
  return ({ url, ip, user_agent }) => {
    try {
      const visit = { url: url ?? undefined, ip: ip ?? undefined, userAgent: user_agent ?? undefined };
      // The library checks the types, since the fields can come from a file.
      return (visit.userAgent === undefined ? withoutBots : rules).judge(visit as Parameters<typeof rules.judge>[0]);
    } catch (error) {
      if (!(error instanceof InvalidVisitError)) throw error;
      const { field, message } = error;
      // The message begins with the field, and ends with a period.
      const fault = message.slice(field.length + 1).replace(/\.$/, "");
      return { field: field === "userAgent" ? "user_agent" : field, fault };
    }
  };
}

/** Why a visit is not counted. The last is a line that is not a visit. */
export const reasons = ["host", "ip", "bot", "invalid"] as const;

/** A verdict for programs. */
interface VisitRecord {
  /** Null if the visit is malformed, so that nobody can say. */
  readonly counted: boolean | null;
  readonly reason: (typeof reasons)[number] | null;
  /** The entry that matched; null if the visit is counted. */
  readonly rule: string | null;
  /** Why it is not counted, as a sentence. */
  readonly explanation: string | null;
  /** The URL of the page, as the visit states it, to find the request; null if the visit states none. */
  readonly visited_url: string | null;
  /** The URL under which the visit is counted; null if it is not. */
  readonly url: string | null;
}

/** How a verdict is printed. */
export const visitView = {
  counted: {
    title: "Counted",
    inList: true,
    show: (value) => (value === null ? "-" : value === true ? "yes" : "no"),
  },
  reason: { title: "Reason", inList: true },
  // The rule of the reason `host` is the domain of the website. No other rule looks like one in ASCII.
  rule: { title: "Rule", inList: true, kind: "domain" },
  explanation: { title: "Explanation", inList: true },
  visited_url: { title: "Visited URL", inList: true },
  url: { title: "Counted URL", inList: true },
} as const satisfies Record<keyof VisitRecord, Column>;

/** How the verdicts about a file are printed. */
export const lineView: View = { line: { title: "Line", inList: true }, ...visitView };

/** Returns the judgement of a visit as programs get it. */
export function toVisitRecord(judgement: Judgement, { url }: Pick<StatedVisit, "url">): VisitRecord {
  const visited_url = typeof url === "string" ? url : null;
  if ("field" in judgement) return { ...malformed(`${judgement.field} ${judgement.fault}`), visited_url };
  if (judgement.counted)
    return { counted: true, reason: null, rule: null, explanation: null, visited_url, url: judgement.url };
  const { reason, rule, explanation } = judgement;
  return { counted: false, reason, rule, explanation, visited_url, url: null };
}

/** Returns the record of a line that is not a visit. */
function malformed(fault: string): VisitRecord {
  return { counted: null, reason: "invalid", rule: null, explanation: `${fault}.`, visited_url: null, url: null };
}

const fields: readonly string[] = ["url", "ip", "user_agent"] satisfies VisitField[];

/** Judges a line of NDJSON. One that is not a visit has the reason `invalid`. */
export function judgeLine(line: BoundedLine, judge: Judge): VisitRecord {
  if ("fault" in line) return malformed(`The line ${line.fault}`);
  const parsed = parseLine(line.text);
  if (!parsed.ok) return malformed(`The line ${parsed.reason}`);
  if (!isObject(parsed.value)) return malformed('The line is not an object; send {"url": "https://example.com/"}');
  const unknown = Object.keys(parsed.value).find((name) => !fields.includes(name));
  if (unknown !== undefined) return malformed(`${showValue(unknown)} is unknown; send only ${fields.join(", ")}`);
  return toVisitRecord(judge(parsed.value), parsed.value);
}
