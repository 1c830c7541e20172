import { ConnectionError } from "./errors.ts";

/** Codes of the runtimes for "no connection was made": the request cannot have reached the service. */
const neverConnected = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "ConnectionRefused",
]);

const maxCauses = 5;

/** Makes a ConnectionError of what a fetch threw. A code that is not known counts as sent. */
export function toConnectionError(place: string, thrown: unknown, redact: (text: string) => string): ConnectionError {
  const causes = listCauses(thrown);
  const requestSent = !causes.some(({ code }) => neverConnected.has(code ?? ""));
  const innermost = causes.findLast(({ message, code }) => message !== "" || code !== undefined);
  const reason = innermost?.message || innermost?.code || "the connection failed";
  const message = `${place} got no complete answer: ${redact(reason)}`;
  return new ConnectionError(message, requestSent, { cause: copyCauses(causes, redact) });
}

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  readonly stack: string | undefined;
}

/** The thrown error and the errors it was caused by, outermost first. */
function listCauses(thrown: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let error = thrown; error !== undefined && causes.length < maxCauses; ) {
    if (!(error instanceof Error))
      return [...causes, { name: "Error", message: String(error), code: undefined, stack: undefined }];
    const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
    causes.push({ name: error.name, message: error.message, code, stack: error.stack });
    error = error.cause;
  }
  return causes;
}

/** Copies, since a fetch of the user's may hang the whole request, key included, on the errors it throws. */
function copyCauses(causes: readonly Cause[], redact: (text: string) => string): Error | undefined {
  return causes.reduceRight<Error | undefined>((cause, { name, message, code, stack }) => {
    const copy = new Error(redact(message), cause === undefined ? undefined : { cause });
    copy.name = name;
    if (stack !== undefined) copy.stack = redact(stack);
    return code === undefined ? copy : Object.assign(copy, { code });
  }, undefined);
}
