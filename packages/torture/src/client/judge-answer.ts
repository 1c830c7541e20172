import type { HttpAnswer } from "./http-client.ts";

/** What a client may believe of a write: done, not done, or either. */
export type Verdict = "acknowledged" | "refused" | "unknown";

/** Judges an answer as docs/operating.md promises. Undefined: the connection was lost before the answer was there. */
export function judgeAnswer(answer: HttpAnswer | undefined): Verdict {
  if (answer === undefined) return "unknown";
  if (answer.status < 300) return "acknowledged";
  if (answer.status >= 400 && answer.status < 500) return "refused";
  return answer.status === 503 && !saysUnknown(answer.json) ? "refused" : "unknown";
}

function saysUnknown(json: unknown): boolean {
  return typeof json === "object" && json !== null && "outcome" in json && json.outcome === "unknown";
}
