import type { Exchanged, ExchangeOptions } from "./exchange.ts";
import type { Expected } from "./raw-case.ts";
import type { RawAnswer } from "./read-answers.ts";

/** Whether an error code is known, which means that the server has a page for it. */
export type IsKnownCode = (code: string) => Promise<boolean>;

/** The longest time for a refusal that needs no more bytes. An earlier build waited for 30 s. */
const promptMs = 2_000;

/** Compares what a connection returned with what it must return. */
export async function judgeExchange(
  expected: Expected,
  exchanged: Exchanged,
  isKnownCode: IsKnownCode,
): Promise<string[]> {
  const { answers, rest, firstAnswerMs } = exchanged;
  const { statuses: known, after } = readExpected(expected);
  const wanted = after === "further" ? [...known, 200] : known;
  const statuses = answers.map(({ status }) => status);
  const found: string[] = [];
  if (statuses.join() !== wanted.join()) {
    found.push(`answered with ${statuses.join() || "nothing"} instead of ${wanted.join()}`);
  } else if (after === "further" && answers.at(-1)?.headers.get("x-request-id") !== "further") {
    found.push("the last answer is not for the last request");
  }
  if (rest !== "") found.push(`then sent ${JSON.stringify(rest.slice(0, 80))}, which is not a complete answer`);
  if (firstAnswerMs !== undefined && firstAnswerMs > promptMs) {
    found.push(`answered after ${Math.round(firstAnswerMs)} ms`);
  }
  found.push(...judgeEnd(after === "end", wanted.at(-1), exchanged));
  for (const answer of answers) found.push(...(await judgeAnswer(answer, isKnownCode)));
  return found;
}

function judgeEnd(
  awaitsEnd: boolean,
  lastStatus: number | undefined,
  { answers, hasEnded, endMs }: Exchanged,
): string[] {
  const saysEnd = answers.some(({ headers }) => headers.get("connection") === "close");
  const found: string[] = [];
  if ((awaitsEnd || saysEnd) && !hasEnded) found.push(`did not end the connection within ${Math.round(endMs)} ms`);
  // Junk can arrive when the head of an answer was already sent. A refusal knows that it is the last answer.
  const isRefusal = lastStatus === 400 || lastStatus === 413;
  if (awaitsEnd && isRefusal && !saysEnd) found.push("did not send Connection: close");
  return found;
}

/** Splits the expectation into the statuses and what must follow them. */
export function readExpected(expected: Expected): Pick<ExchangeOptions, "after"> & { readonly statuses: number[] } {
  const statuses = expected.filter((part) => typeof part === "number");
  const after = expected.includes("end") ? "end" : expected.includes("waits") ? "silence" : "further";
  return { statuses, after };
}

async function judgeAnswer({ status, headers, body }: RawAnswer, isKnownCode: IsKnownCode): Promise<string[]> {
  if (status < 400) return [];
  if (status >= 500) return [`answered with ${status}: ${body.slice(0, 200)}`];
  if (headers.get("content-type") !== "application/problem+json; charset=utf-8") {
    return [`answered with ${status} as ${headers.get("content-type")}`];
  }
  // The answer to a HEAD has no body.
  if (body === "") return [];
  const problem = parse(body);
  if (problem?.["status"] !== status) return [`answered with ${status} with the problem ${body.slice(0, 200)}`];
  const code = String(problem["code"]);
  if (!(await isKnownCode(code))) return [`answered the code ${code}, which no page explains`];
  const isPlain = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?\/docs\/errors\/\w+$/i.test(String(problem["type"]));
  return isPlain ? [] : [`answered with the link ${problem["type"]}`];
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Its members are only read as strings or compared.
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
