import type { Counter } from "@prometheus-io/client";
import type { Answer, CollectRequest, Peer, Report, Visit } from "../peers/peer.ts";
import type { DryRun } from "./dry-run.ts";
import type { Judge } from "./judge.ts";

export type Decide = ReturnType<typeof createDecide>;

interface Policy {
  readonly visits: Counter<"result">;
  /** Whether a visit is dropped whose rules nobody knows. */
  readonly dropsUnknown: boolean;
  readonly dryRun: DryRun | undefined;
}

/** Decides by the rules which visits of a request go on, and what is written in them. */
export function createDecide(peer: Peer, judge: Judge, { visits, dropsUnknown, dryRun }: Policy) {
  const goesOn = (visit: Visit, ip: string, userAgent: string | undefined): boolean => {
    const { page = visit.page, referrer = visit.referrer, ...outcome } = judge(visit, ip, userAgent);
    const { result } = outcome;
    const isKept = result === "unknown" || result === "unread" ? !dropsUnknown : result === "counted";
    const isCleaned = page !== visit.page || referrer !== visit.referrer;
    if (page !== undefined && page !== visit.page) visit.set("page", page);
    if (referrer !== undefined && referrer !== visit.referrer) visit.set("referrer", referrer);
    visits.labels(isCleaned ? "cleaned" : result).inc();
    if (!isKept || isCleaned) dryRun?.add(isKept ? "clean" : "drop", outcome);
    return isKept;
  };
  /** Returns the request as it is sent on, or the answer in its place. */
  return (request: CollectRequest, ip: string, userAgent: string | undefined): CollectRequest | Answer => {
    const report = read(peer, request);
    const kept = report.visits.map((visit) => goesOn(visit, ip, userAgent));
    if (dryRun !== undefined) return request;
    if (kept.length > 0 && !kept.includes(true)) return peer.answer(request, kept.length);
    return { ...request, ...report.write(kept) };
  };
}

/** What stands for a request that cannot be read, such as a form in parts. */
const unread: Report = { visits: [{ set() {} }], write: () => ({}) };

function read(peer: Peer, request: CollectRequest): Report {
  try {
    return /^\s*--/.test(request.body) ? unread : peer.read(request);
  } catch (error) {
    if (error instanceof SyntaxError) return unread;
    throw error;
  }
}
