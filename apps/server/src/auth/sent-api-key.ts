import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { readBearerToken } from "@siteward/service";
import { hashApiKey } from "./api-key.ts";

/** An API key as a client sends it. It need not be valid. */
export interface SentApiKey {
  readonly text: string;
  /** What {@link hashApiKey} returns for the text. */
  readonly hash: string;
}

/** What each connection sent last: almost every request sends the same key again, and a hash takes 2.5 µs. */
const lastSent = new WeakMap<Socket, SentApiKey & { readonly header: string }>();
/** The header with a key has 49 characters. Longer ones are not kept. */
const maxKeptLength = 64;

/**
 * Reads the API key of a request.
 *
 * @throws AppError if the request has no API key, or its Authorization header is not valid
 */
export function readSentApiKey({ headers, socket }: IncomingMessage): SentApiKey {
  const { authorization: header } = headers;
  const last = lastSent.get(socket);
  if (last !== undefined && header !== undefined && isEqual(last.header, header)) return last;
  const text = readBearerToken(header);
  const sent = { text, hash: hashApiKey(text) };
  if (header !== undefined && header.length <= maxKeptLength) lastSent.set(socket, { ...sent, header });
  return sent;
}

/** Takes the same time wherever two strings differ: a proxy can send the requests of several clients on one connection. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}
