import type { Counter } from "@prometheus-io/client";
import type { Logger } from "pino";
import type { Answer, CollectRequest, Peer, Report, Visit } from "../peers/peer.ts";
import type { Settings } from "../settings.ts";
import type { Judge, Outcome } from "./judge.ts";

export type Decide = ReturnType<typeof createDecide>;
export type DryRun = ReturnType<typeof createDryRun>;

/** Decides which visits of a request go on, and what is written in them, or the answer in its place. Undefined: too much. */
export function createDecide(settings: Settings, judge: Judge, visits: Counter<"result">, dryRun?: DryRun) {
  const { COLLECT: peer, UNKNOWN: dropsUnknown } = settings;
  const isKept = ({ result }: Outcome) =>
    result === "unknown" || result === "unread" ? !dropsUnknown : result === "counted";
  const goesOn = (visit: Visit, outcome: Outcome): boolean => {
    const urls = ["page", "referrer"] as const;
    const cleaned = urls.filter((part) => outcome[part] !== undefined && outcome[part] !== visit[part]);
    for (const part of cleaned) visit.set(part, outcome[part] ?? "");
    visits.inc({ result: cleaned.length > 0 ? "cleaned" : outcome.result });
    if (!isKept(outcome)) dryRun?.add("drop", outcome);
    else if (cleaned.length > 0) dryRun?.add("clean", outcome);
    return isKept(outcome);
  };
  return (request: CollectRequest, ip: string, userAgent: string | undefined): CollectRequest | Answer | undefined => {
    const report = read(peer, request);
    if (report === undefined) return dryRun && request;
    const kept = report.visits.map((visit) => goesOn(visit, judge(visit, ip, userAgent)));
    if (dryRun !== undefined) return request;
    if (kept.length > 0 && !kept.includes(true)) return peer.answer(request, kept.length);
    return { ...request, ...report.write(kept) };
  };
}

/** What stands for a request that cannot be read. */
const unread: Report = { visits: [{ set() {} }], write: () => ({}) };

function read(peer: Peer, request: CollectRequest): Report | undefined {
  try {
    return peer.read(request);
  } catch (error) {
    if (error instanceof SyntaxError) return unread;
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Counts what would become of visits, and logs it, with nothing that a visitor can choose. */
export function createDryRun(log: Logger) {
  const lines = new Map<string, number>();
  const report = () => {
    for (const [line, visits] of lines) log.info({ ...JSON.parse(line), visits }, "dry run");
    lines.clear();
  };
  setInterval(report, 10_000).unref();
  const add = (would: "drop" | "clean", { result: reason, domain, rule }: Outcome) => {
    const line = JSON.stringify({ would, reason, domain, rule });
    if (lines.size < 1_000 || lines.has(line)) lines.set(line, (lines.get(line) ?? 0) + 1);
  };
  return { add, report };
}
