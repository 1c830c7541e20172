import type { RawAnswer } from "./raw-connection.ts";

/** What a client can conclude about a write: done, not done, or either. */
export type Verdict = "acknowledged" | "refused" | "unknown";

/** Decides what a client can conclude from an answer. */
export type Judge = (answer: RawAnswer) => Verdict;

/** Judges an answer as docs/operating.md promises. If the connection is lost before the answer, the outcome is unknown too. */
export function judgeAnswer(answer: RawAnswer): Verdict {
  if (answer.status < 300) return "acknowledged";
  if (answer.status >= 400 && answer.status < 500) return "refused";
  return answer.status === 503 && !saysUnknown(answer.json) ? "refused" : "unknown";
}

function saysUnknown(json: unknown): boolean {
  return typeof json === "object" && json !== null && "outcome" in json && json.outcome === "unknown";
}
