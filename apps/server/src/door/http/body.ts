import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import {
  type BodyReader,
  bodyTooLarge,
  findBodyReader,
  maxBodyBytes,
  notUtf8,
  readBodyText,
  unreadableBody,
  unsupportedEncoding,
} from "@siteward/service";
import type { Request, Response } from "express";
import getRawBody from "raw-body";
import { exchangeOf } from "../admission/exchange.ts";
import { overloaded, refuseOverload } from "../admission/refuse-overload.ts";
import { freeBytes } from "./free-bytes.ts";

/**
 * Reads the body by its media type. A request without a body sends no fields. If the client waits for a 100 Continue, it
 * is sent here, after all other checks of the request.
 */
export function readBody(request: Request, response: Response): Promise<unknown> | object {
  return exchangeOf(request).hasBody ? read(request, response) : {};
}

/**
 * Reads and drops the body of a request that takes no fields. So a request whose body turns out to be broken changes
 * nothing, and its answer is a 400.
 */
export function dropBody(request: Request, response: Response): Promise<unknown> | undefined {
  return exchangeOf(request).hasBody ? receive(request, response).then(freeBytes) : undefined;
}

async function read(request: Request, response: Response): Promise<unknown> {
  const reader = findBodyReader({ method: request.method, contentType: request.headers["content-type"] });
  const decompress = decompressorOf(request);
  const sent = await receive(request, response);
  const bytes = decompress === undefined ? sent : await decompress(sent);
  // Not if that fails: only the end of its output proves that zlib, in a thread of its own, reads no more.
  if (bytes !== sent) freeBytes(sent);
  exchangeOf(request).progress.shrinkBody(bytes.byteLength);
  try {
    return readWith(reader, bytes);
  } finally {
    freeBytes(bytes);
  }
}

/** Receives the body as it is sent. If the client waits for a 100 Continue, this sends it first. */
async function receive(request: Request, response: Response): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw bodyTooLarge();
  const exchange = exchangeOf(request);
  exchange.progress.reserveBody(maxLengthOf(request));
  refuseOverload(exchange);
  if (awaitsContinue(request)) response.writeContinue();
  const sent = await exchange.progress.whileClientSends(() => readRaw(request));
  const { overload } = exchange.progress;
  if (overload === undefined) return sent;
  freeBytes(sent);
  throw overloaded(overload);
}

/** Returns how long the body can be that a request announces, once it is decompressed. */
function maxLengthOf({ headers }: Request): number {
  const length = headers["content-length"];
  return length === undefined || headers["content-encoding"] !== undefined ? maxBodyBytes : Number(length);
}

/** Decides as Node does. A client of HTTP/1.0 does not know interim responses (RFC 9110, section 10.1.1). */
function awaitsContinue({ headers, httpVersion }: Request): boolean {
  return httpVersion === "1.1" && headers.expect !== undefined && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);
}

/** Reads at most as much as the limit, whatever the client sends. */
async function readRaw(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const keep = (chunk: Buffer) => void chunks.push(chunk);
  request.on("data", keep);
  try {
    return await getRawBody(request, { limit: maxBodyBytes, length: request.headers["content-length"] ?? null });
  } catch (error) {
    // raw-body names the fault in `type`.
    if (!(error instanceof Error && "type" in error)) throw error;
    throw error.type === "entity.too.large" ? bodyTooLarge(error) : unreadableBody("it is incomplete", error);
  } finally {
    // What still arrives of a body that is refused is not kept.
    request.off("data", keep);
    // The body is a copy of them.
    for (const chunk of chunks) freeBytes(chunk);
  }
}

/** How a body of each content encoding is decompressed. */
const decompressors = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** @returns undefined if the body is not compressed */
function decompressorOf(request: Request): ((sent: Uint8Array) => Promise<Uint8Array>) | undefined {
  const encoding = (request.headers["content-encoding"] ?? "identity").toLowerCase();
  if (encoding === "identity") return undefined;
  const decompress = Object.entries(decompressors).find(([name]) => name === encoding)?.[1];
  if (decompress === undefined) {
    throw unsupportedEncoding(request.method);
  }
  return async (sent) => {
    try {
      return await decompress(sent, { maxOutputLength: maxBodyBytes });
    } catch (error) {
      const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      throw isTooLarge ? bodyTooLarge(error) : unreadableBody("its compressed data is invalid or incomplete", error);
    }
  };
}

function readWith(reader: BodyReader, bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw notUtf8();
  return readBodyText(reader, new TextDecoder().decode(bytes));
}
