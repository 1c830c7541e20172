import { ConnectionError } from "../errors/connection-error.ts";
import { endSentence } from "../errors/end-sentence.ts";
import type { Redact } from "./redact.ts";

/** Error codes of the runtimes for "no connection was made": the request cannot have reached the service. */
const neverConnected =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN|(HOST|NET)UNREACH)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/;
/**
 * Codes of a handshake of TLS that failed: OpenSSL's for certificates that the client refuses, and two of Node. A certificate that
 * the server refuses has another, which begins with `ERR_SSL`, and in TLS 1.3 it comes after the request was sent.
 */
const neverSecure =
  /^((?!ERR_SSL).*CERT.*|UNABLE_TO_.*|INVALID_(CA|PURPOSE)|HOSTNAME_MISMATCH|ERR_SSL_WRONG_VERSION_NUMBER)$/;
/**
 * What errors without a code of their own say: Deno's HTTP library if it has no connection yet (`(SendRequest)` on one), and Node of
 * a port that `fetch` never connects to, such as 6000, and of a connection that ends during the handshake.
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

function isNeverConnected({ code, syscall, message }: Thrown): boolean {
  // A network that fails later, on an open connection, has the same code. Only the system call tells the two apart.
  const isOpen = syscall === "read" || syscall === "write";
  const isCode = (!isOpen && neverConnected.test(String(code))) || neverSecure.test(String(code));
  return isCode || syscall === "connect" || neverConnectedMessage.test(message);
}

/** The innermost error that says anything has the reason. */
function describe(code: string, message: string): string {
  // OpenSSL's own message quotes its source code.
  return code === "ERR_SSL_WRONG_VERSION_NUMBER"
    ? "the server does not use TLS on this port. Try http:// instead of https://"
    : message || code;
}
