import { ConnectionError } from "../errors/connection-error.ts";
import { endSentence } from "../errors/end-sentence.ts";
import type { Redact } from "./redact.ts";

/**
 * Error codes of the runtimes for "no connection was made": the request cannot have reached the service. A certificate that the
 * client refuses has one of OpenSSL's codes. One of ours that the server refuses has another, which begins with `ERR_SSL`, and
 * with TLS 1.3 it comes after the request was sent.
 */
const neverConnected = new RegExp(
  "^(E(CONNREFUSED|NOTFOUND|AI_AGAIN|(HOST|NET)UNREACH)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|(?!ERR).*CERT.*|" +
    "UNABLE_TO_.*|CRL_.*|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED|ERR_TLS_CERT_ALTNAME_INVALID|" +
    "ERR_SSL_WRONG_VERSION_NUMBER)$",
);
/**
 * What has no code. Deno's HTTP library says the first if it has no connection yet, and `(SendRequest)` on one. Node connects to no
 * port of other protocols, such as 6000, and the last is its end of a connection without TLS.
 */
const neverConnectedMessage = /client error \(Connect\)|^bad port$|before secure TLS connection was established$/;

const maxCauses = 5;

/** What the runtimes say about an error. A custom `fetch` may throw anything. */
type Thrown = Error & { readonly code?: unknown; readonly syscall?: unknown };

/** Creates the `ConnectionError` for what `fetch` threw. If the code is unknown, the request counts as sent. */
export function toConnectionError(endpoint: string, thrown: unknown, redact: Redact): ConnectionError {
  let requestSent = true;
  let reason = "the connection failed";

  /** Copies an error and its causes, because a custom `fetch` may attach the request, with the key, to what it throws. */
  const copy = (error: unknown, depth: number): Error | undefined => {
    if (error === undefined || depth === maxCauses) return undefined;
    // Not by instanceof: in a realm of its own, as that of a test in Jest, what fetch throws is no Error of this realm.
    const read: Thrown = typeof Object(error).message === "string" ? Object(error) : new Error(String(error));
    const [name, message = "", stack = "", code = ""] = [read.name, read.message, read.stack, read.code].map((value) =>
      typeof value === "string" ? redact(value) : undefined,
    );
    if (isNeverConnected(read)) requestSent = false;
    reason = describe(code, message) || reason;
    const cause = copy(read.cause, depth + 1);
    return Object.assign(new Error(message, cause && { cause }), { name, stack }, code && { code });
  };

  const cause = copy(thrown, 0);
  return new ConnectionError(`${endpoint} got no complete response: ${endSentence(reason)}`, requestSent, { cause });
}

/** A network that fails later, on an open connection, has the same code. Only the system call tells the two apart. */
function isNeverConnected({ code, syscall, message }: Thrown): boolean {
  if (syscall === "read" || syscall === "write") return false;
  return syscall === "connect" || neverConnected.test(String(code)) || neverConnectedMessage.test(message);
}

/** The innermost error that says anything has the reason. */
function describe(code: string, message: string): string {
  // OpenSSL's own message quotes its source code.
  return code === "ERR_SSL_WRONG_VERSION_NUMBER"
    ? "the server does not use TLS on this port. Try http:// instead of https://"
    : message || code;
}
