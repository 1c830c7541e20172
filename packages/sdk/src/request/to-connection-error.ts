import { ConnectionError } from "../errors/connection-error.ts";
import { endSentence } from "../errors/end-sentence.ts";
import type { Redact } from "./redact.ts";

/** Error codes of the runtimes for "no connection was made": the request cannot have reached the service. */
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

/** Creates the `ConnectionError` for what `fetch` threw. If the code is unknown, the request counts as sent. */
export function toConnectionError(endpoint: string, thrown: unknown, redact: Redact): ConnectionError {
  const causes = listCauses(thrown);
  const requestSent = !causes.some(({ code, syscall }) => neverConnected.has(code ?? "") && !isTransfer(syscall));
  const innermost = causes.findLast(({ message, code }) => message !== "" || code !== undefined);
  const message = `${endpoint} got no complete response: ${endSentence(redact(describe(innermost)))}`;
  return new ConnectionError(message, requestSent, { cause: copyCauses(causes, redact) });
}

function describe(cause: Cause | undefined): string {
  // OpenSSL's own message quotes its source code.
  if (cause?.code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return "the server does not use TLS on this port. Try http:// instead of https://";
  }
  return cause?.message || cause?.code || "the connection failed";
}

interface Cause {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
  /** The system call that failed, if the runtime names it. */
  readonly syscall: string | undefined;
  readonly stack: string | undefined;
}

/** The thrown error and the errors that caused it, outermost first. */
function listCauses(thrown: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let error = thrown; error !== undefined && causes.length < maxCauses; ) {
    causes.push(readCause(error));
    error = error instanceof Error ? error.cause : undefined;
  }
  return causes;
}

function readCause(error: unknown): Cause {
  if (!(error instanceof Error)) {
    return { name: "Error", message: String(error), code: undefined, syscall: undefined, stack: undefined };
  }
  const { name, message, stack } = error;
  return { name, message, code: readString(error, "code"), syscall: readString(error, "syscall"), stack };
}

function readString(error: Error, property: string): string | undefined {
  const value: unknown = Reflect.get(error, property);
  return typeof value === "string" ? value : undefined;
}

/** A network that fails later, on an open connection, has the same code. Only the system call tells the two apart. */
function isTransfer(syscall: string | undefined): boolean {
  return syscall === "read" || syscall === "write";
}

/** Copies the causes, because a custom `fetch` may attach the request, including the key, to the errors it throws. */
function copyCauses(causes: readonly Cause[], redact: Redact): Error | undefined {
  return causes.reduceRight<Error | undefined>((cause, { name, message, code, stack }) => {
    const copy = new Error(redact(message), cause === undefined ? undefined : { cause });
    copy.name = name;
    if (stack !== undefined) copy.stack = redact(stack);
    return code === undefined ? copy : Object.assign(copy, { code });
  }, undefined);
}
