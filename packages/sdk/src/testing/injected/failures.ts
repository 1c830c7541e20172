import { errorCodes } from "@siteward/contract";
import { AppError, requestIdHeader } from "@siteward/service";
import { type FakeAnswer, toProblemAnswer } from "../service/answer-request.ts";
import { checkKnown, checkObject } from "../state/check-known.ts";
import { setUpError } from "../state/set-up-error.ts";
import type { Failure, NetworkFailure, ProblemFailure, StatusFailure } from "./failure.ts";

const matchNames = ["times", "method", "path", "when"];
const kinds = {
  code: ["code", "problem", "headers", ...matchNames],
  status: ["status", "body", "headers", ...matchNames],
  networkError: ["networkError", ...matchNames],
} as const;

/** @throws TypeError if it is not exactly one kind of failure */
export function checkFailure(failure: Failure): void {
  checkObject(failure, "failNext", "the failure");
  const found = Object.keys(kinds).filter((name) => name in failure);
  const [kind] = found;
  if (kind === undefined || found.length > 1) {
    throw refuse(`the failure must have exactly one of: ${Object.keys(kinds).join(", ")}.`);
  }
  checkKnown(failure, kinds[kind as keyof typeof kinds], "failNext", `a failure with "${kind}"`);
  if ("code" in failure && !Object.hasOwn(errorCodes, failure.code)) {
    throw refuse(`there is no error code "${failure.code}". Use one of: ${Object.keys(errorCodes).join(", ")}.`);
  }
  if ("status" in failure && !(Number.isInteger(failure.status) && failure.status >= 200 && failure.status <= 599)) {
    throw refuse("status must be a whole number from 200 to 599.");
  }
  if ("networkError" in failure && failure.networkError !== true) {
    throw refuse("networkError must be true.");
  }
  if ("problem" in failure && failure.problem !== undefined) checkObject(failure.problem, "failNext", "problem");
  if ("headers" in failure && failure.headers !== undefined) checkHeaders(failure.headers);
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  checkObject(headers, "failNext", "headers");
  const invalid = Object.entries(headers).find((header) => !isHeader(header));
  if (invalid === undefined) return;
  throw refuse(
    `headers contains an invalid name or value: ${JSON.stringify(invalid[0])}: ${JSON.stringify(invalid[1])}. ` +
      'Use a name without spaces and a value on one line, such as { "Retry-After": "2" }.',
  );
}

function isHeader(header: [name: string, value: string]): boolean {
  try {
    new Headers([header]);
    return true;
  } catch {
    return false;
  }
}

function refuse(message: string): TypeError {
  return setUpError("failNext", message);
}

/**
 * Returns the response of a request that fails.
 *
 * @throws TypeError as `fetch` does, if no response arrives
 */
export function toFailedAnswer(failure: Failure, context: { baseUrl: string; requestId: string }): FakeAnswer {
  if ("networkError" in failure) throw toNetworkError(failure);
  return "code" in failure ? toProblem(failure, context) : toForeignAnswer(failure);
}

/** Node reports both in this way, and other runtimes in a similar one. */
function toNetworkError({ when }: NetworkFailure): TypeError {
  const [code, message] =
    when === "after"
      ? ["ECONNRESET", "the connection was closed before the response arrived (failNext)"]
      : ["ECONNREFUSED", "the connection was refused (failNext)"];
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

function toProblem(
  { code, problem = {}, headers = {} }: ProblemFailure,
  { baseUrl, requestId }: { baseUrl: string; requestId: string },
): FakeAnswer {
  const { detail = `Injected by failNext: ${errorCodes[code].meaning}`, ...extension } = problem;
  const answer = toProblemAnswer({ baseUrl }, new AppError(code, detail, { facts: extension }), {
    requestId,
    headers: {},
  });
  // A test can replace the ID, however it writes the name, but not the content type.
  const sent = new Headers({ [requestIdHeader]: requestId });
  for (const [name, value] of Object.entries({ ...headers, ...answer.headers })) sent.set(name, value);
  return { ...answer, headers: Object.fromEntries(sent) };
}

function toForeignAnswer({ status, body, headers }: StatusFailure): FakeAnswer {
  const page = `<!doctype html><title>${status}</title><p>Injected by failNext.</p>`;
  return { status, headers: headers ?? { "Content-Type": "text/html" }, body: body ?? page };
}
