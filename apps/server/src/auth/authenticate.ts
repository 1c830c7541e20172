import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { AppError } from "../errors/app-error.ts";
import { hashApiKey } from "./api-key.ts";
import type { ApiKeyCache } from "./api-key-cache.ts";
import { type Principal, setPrincipal } from "./principal.ts";

/**
 * Accepts only requests with a valid API key, before anything else of the request is checked (docs/interface.md, section 5).
 * Unknown and revoked keys get the same answer.
 */
export function authenticate(apiKeys: ApiKeyCache): (request: IncomingMessage) => void | Promise<void> {
  return (request) => {
    const admit = (principal: Principal | undefined): void => {
      if (principal === undefined) {
        throw unauthenticated(
          "The API key is mistyped, unknown, revoked or expired. Send a valid API key.",
          ', error="invalid_token"',
        );
      }
      setPrincipal(request, principal);
    };
    const { text, hash } = readApiKey(request);
    const found = apiKeys.find(text, hash);
    return found instanceof Promise ? found.then(admit) : admit(found);
  };
}

interface SentApiKey {
  readonly header: string;
  readonly text: string;
  readonly hash: string;
}

/**
 * What each connection sent last. Most send the same key with every request, and to read and hash it again takes 3 µs. A
 * header is compared only with one of the same connection, so the time that this takes says nothing about other keys.
 */
const lastSent = new WeakMap<Socket, SentApiKey>();

function readApiKey({ headers, socket }: IncomingMessage): SentApiKey {
  const { authorization: header } = headers;
  const last = lastSent.get(socket);
  if (last !== undefined && last.header === header) return last;
  const text = readBearerToken(header);
  const sent = { header: header ?? "", text, hash: hashApiKey(text) };
  lastSent.set(socket, sent);
  return sent;
}

function readBearerToken(header: string | undefined): string {
  if (header === undefined) {
    throw unauthenticated('The request has no API key. Send the header "Authorization: Bearer <API key>".', "");
  }
  const token = /^bearer +([\x21-\x7e]+)$/i.exec(header)?.[1];
  if (token === undefined) {
    throw unauthenticated(
      'The Authorization header is not valid. Send "Authorization: Bearer <API key>". An API key consists of letters, digits and "_".',
      "",
    );
  }
  return token;
}

/** The challenge follows RFC 6750, section 3. */
function unauthenticated(detail: string, challengeError: string): AppError {
  const headers = { "WWW-Authenticate": `Bearer realm="siteward"${challengeError}` };
  return new AppError("unauthenticated", detail, { headers });
}
