import type { RawAnswer } from "../client/raw-connection.ts";
import { isReplay, type KeyedCreate } from "./keyed-create.ts";

/** What an answer says about a create. Any other answer is a violation. */
export type Meaning = "created" | "domain_taken" | "idempotency_in_progress" | "unavailable";

/** Returns what an answer says, by its status and code. */
export function meaningOf({ status, json }: RawAnswer): string {
  if (status === 201) return "created";
  return typeof json === "object" && json !== null && "code" in json ? String(json.code) : String(status);
}

/**
 * Returns how the answers to a create break the promise, one line each. One of them is the outcome, all others with the same
 * meaning are replays that equal it, and the rest say that there is no outcome yet.
 *
 * @param outcome what the outcome must be
 * @param others what the other answers may say
 */
export function judgeCreate(
  { key, answers }: KeyedCreate,
  outcome: Meaning,
  others: readonly Meaning[] = ["idempotency_in_progress"],
): string[] {
  const final = answers.filter((answer) => meaningOf(answer) === outcome);
  const allowed: readonly string[] = [outcome, ...others];
  const strange = answers.filter((answer) => !allowed.includes(meaningOf(answer)));
  const firsts = final.filter((answer) => !isReplay(answer));
  const [wanted] = final.map(toComparable);
  const different = final.filter((answer) => toComparable(answer) !== wanted);
  return [
    ...(wanted === undefined ? [`No answer to ${key} is ${outcome}.`] : []),
    ...(firsts.length > 1 ? [`${firsts.length} answers to ${key} are not replays.`] : []),
    ...different.map((answer) => `${key} was answered with ${toComparable(answer)} and with ${wanted}`),
    ...strange.map(({ status, text }) => `${key} was answered with ${status} ${text}`),
  ];
}

/** Returns everything of an answer that its replay must repeat. The id of a request is its own. */
function toComparable({ status, headers, text, json }: RawAnswer): string {
  const body = status === 201 ? text : { ...(json as object), request_id: undefined };
  return JSON.stringify([status, headers.get("etag"), headers.get("location"), headers.get("content-type"), body]);
}
