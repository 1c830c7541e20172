import type { Column } from "../output/view.ts";
import type { Judgement } from "./judge-visits.ts";

/** Why a visit is not counted. The last is a line that is not a visit. */
export const reasons = ["host", "ip", "bot", "invalid"] as const;

/** A verdict for programs. */
export interface VisitRecord {
  /** Null if the visit is malformed, so that nobody can say. */
  readonly counted: boolean | null;
  readonly reason: (typeof reasons)[number] | null;
  /** The entry that matched; null if the visit is counted. */
  readonly rule: string | null;
  /** Why it is not counted, as a sentence. */
  readonly explanation: string | null;
  /** The URL under which the visit is counted; null if it is not. */
  readonly url: string | null;
}

/** A verdict about a line of a file. */
export interface LineRecord extends VisitRecord {
  readonly line: number;
}

/** How a verdict is printed. */
export const visitView = {
  counted: {
    title: "Counted",
    inList: true,
    worth: 3,
    show: (value) => (value === null ? "-" : value === true ? "yes" : "no"),
  },
  reason: { title: "Reason", inList: true, worth: 2 },
  rule: { title: "Rule", inList: true, worth: 1 },
  explanation: { title: "Explanation", inList: true },
  url: { title: "URL", inList: true },
} as const satisfies Record<keyof VisitRecord, Column>;

/** How the verdicts about a file are printed. */
export const lineView = { line: { title: "Line", inList: true, worth: 3 }, ...visitView } as const satisfies Record<
  keyof LineRecord,
  Column
>;

/** Returns a judgement as programs get it. */
export function toVisitRecord(judgement: Judgement): VisitRecord {
  if ("field" in judgement) return malformed(`${judgement.field} ${judgement.fault}`);
  if (judgement.counted) return { counted: true, reason: null, rule: null, explanation: null, url: judgement.url };
  const { reason, rule, explanation } = judgement;
  return { counted: false, reason, rule, explanation, url: null };
}

/** Returns the record of a line that is not a visit. */
export function malformed(fault: string): VisitRecord {
  return { counted: null, reason: "invalid", rule: null, explanation: `${fault}.`, url: null };
}
