import { endSentence, proxyAdvice } from "../errors/api-error.ts";
import { ConnectionError } from "../errors/siteward-error.ts";
import type { Redact } from "./build-request.ts";

/** Error codes of the runtimes for "no connection was made": the request cannot have reached the service. */
const neverConnected =
  /^(E(CONNREFUSED|NOTFOUND|AI_AGAIN|(HOST|NET)UNREACH)|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused|(CERT|UNABLE|DEPTH|SELF)_\w+)$/;

const maxCauses = 5;

/** Creates the `ConnectionError` for what `fetch` threw. If the code is unknown, the request counts as sent. */
export function toConnectionError(endpoint: string, thrown: unknown, redact: Redact): ConnectionError {
  let requestSent = true;
  let reason = "the connection failed";
  let cause: Error | undefined;
  let error = thrown;
  for (let depth = 0; error !== undefined && depth < maxCauses; depth += 1) {
    // Not by instanceof: in a realm of its own, as that of a test in Jest, what fetch throws is no Error of this realm.
    const { name, message = error, stack, code = "", syscall, cause: next } = Object(error);
    // A network that fails later, on an open connection, has the same code. Only the system call tells the two apart.
    const isOpen = syscall === "read" || syscall === "write";
    if (!isOpen && neverConnected.test(code)) requestSent = false;
    const said = redact(String(message || code));
    // The innermost error that says anything has the reason. A copy, since that of a custom `fetch` may have the key.
    if (said !== "") {
      reason = explain(code, said);
      cause = Object.assign(new Error(said), { name, stack: redact(String(stack)) }, code !== "" && { code });
    }
    error = next;
  }
  return new ConnectionError(`${endpoint} got no complete response: ${endSentence(reason)}`, requestSent, { cause });
}

/** Adds what to do to a reason that only this machine can remove. OpenSSL's own message quotes its source code. */
function explain(code: string, said: string): string {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return "the server does not use TLS on this port. Try http://";
  if (/^UNABLE_TO_|SELF_SIGNED/.test(code))
    return `${endSentence(said)} If its CA is private, set NODE_EXTRA_CA_CERTS to the path of its PEM file`;
  return /\b407 |\(407\)/.test(said) ? `${endSentence(said)} ${proxyAdvice}` : said;
}
