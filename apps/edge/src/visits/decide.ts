import type { Answer, CollectRequest, Peer, Report, Sent, Visit } from "../peers/peer.ts";
import type { Judge, Outcome } from "./judge.ts";
import type { Outcomes } from "./outcomes.ts";

/** Returns what is sent on to the peer, or the answer in its place. */
export type Decide = (request: CollectRequest, ip: string, userAgent: string | undefined) => Sent | Answer;

interface Policy {
  /** Whether a visit is dropped for which nobody knows the rules. */
  readonly dropsUnknown: boolean;
  readonly isDryRun: boolean;
}

/** Decides by the rules which visits of a request go on, and what is written in them. */
export function createDecide(peer: Peer, judge: Judge, outcomes: Outcomes, { dropsUnknown, isDryRun }: Policy): Decide {
  const goesOn = (visit: Visit, outcome: Outcome): boolean => {
    const { result, page, referrer } = outcome;
    const isKnown = result !== "unknown" && result !== "unread";
    const isKept = isKnown ? result === "counted" : !dropsUnknown;
    if (page !== undefined) visit.set("page", page);
    if (referrer !== undefined) visit.set("referrer", referrer);
    outcomes.add(outcome, isKept);
    return isKept;
  };
  return (request, ip, userAgent) => {
    const report = read(peer, request);
    const kept = report.visits.map((visit) =>
      goesOn(visit, judge(visit, visit.ip ?? ip, visit.userAgent ?? userAgent)),
    );
    if (isDryRun) return request;
    if (kept.length > 0 && !kept.includes(true)) return peer.answer(request, kept.length);
    return { ...request, ...report.write(kept) };
  };
}

/** What stands for a request that cannot be read. */
const unread: Report = { visits: [{ page: undefined, set() {} }], write: () => ({}) };

function read(peer: Peer, request: CollectRequest): Report {
  try {
    // A form in parts is not read.
    return /^\s*--/.test(request.body) ? unread : peer.read(request);
  } catch (error) {
    if (error instanceof SyntaxError) return unread;
    throw error;
  }
}
