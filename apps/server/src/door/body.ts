import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import {
  bodyTooLarge,
  findBodyReader,
  maxBodyBytes,
  readBodyBytes,
  unreadable,
  unsupportedEncoding,
} from "@siteward/service";
import type { Request, Response } from "express";
import getRawBody from "raw-body";

/** Reads the fields of a body by its media type. */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  const { method, headers } = request;
  const reader = findBodyReader(method, headers["content-type"]);
  const encoding = (headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding !== "identity" && !Object.hasOwn(decompressors, encoding)) throw unsupportedEncoding(method);
  const sent = await receiveBody(request, response);
  const bytes = encoding === "identity" ? sent : await decompress(sent, encoding as keyof typeof decompressors);
  return readBodyBytes(reader, bytes);
}

/**
 * Receives the body as it is sent. If the client waits for a 100 Continue, it is sent here, after all other checks of
 * the request. Express's own reader reads a body that is too large to its end, which a client decides, before it
 * refuses it.
 */
export async function receiveBody(request: Request, response: Response): Promise<Uint8Array> {
  const { headers, httpVersion } = request;
  const length = headers["content-length"] ?? null;
  if (Number(length) > maxBodyBytes) throw bodyTooLarge();
  // Decides as Node does. A client of HTTP/1.0 does not know interim responses (RFC 9110, section 10.1.1).
  if (httpVersion === "1.1" && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? "")) response.writeContinue();
  try {
    return await getRawBody(request, { limit: maxBodyBytes, length });
  } catch (error) {
    // raw-body names the fault in `type`.
    if (!(error instanceof Error && "type" in error)) throw error;
    throw error.type === "entity.too.large" ? bodyTooLarge(error) : unreadable("body", "it is incomplete", error);
  }
}

/** How a body of each content encoding is decompressed. */
const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

async function decompress(sent: Uint8Array, encoding: keyof typeof decompressors): Promise<Uint8Array> {
  try {
    return await decompressors[encoding](sent, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge ? bodyTooLarge(error) : unreadable("body", "its compressed data is invalid or incomplete", error);
  }
}
