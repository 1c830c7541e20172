import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { Request, Response } from "express";
import getRawBody from "raw-body";
import { AppError } from "../errors/app-error.ts";
import { decodeForm } from "./form.ts";
import { hasBody } from "./has-body.ts";
import { decodeJson } from "./json.ts";
import { overloaded } from "./refuse-overload.ts";
import { isRefused, whileClientSends } from "./request-bound.ts";
import { unreadableBody } from "./unreadable-body.ts";

/** The largest body that is read, after decompression. */
const maxBodyBytes = 64 * 1024;

interface BodyReader {
  readonly read: (text: string) => unknown;
  /** Why a text could not be read. A parser's own message would quote the body, which can contain a password. */
  readonly fault: string;
}

/** How a body of each media type is read: form data (docs/interface.md, section 4), and JSON, which clients also send. */
const readers = {
  "application/x-www-form-urlencoded": {
    read: decodeForm,
    fault: "its percent-encoding is invalid or does not decode to UTF-8. Encode it as UTF-8",
  },
  "application/json": { read: decodeJson, fault: "it is not valid JSON" },
} as const satisfies Record<string, BodyReader>;

const accepted = Object.keys(readers).join(", ");

/**
 * Reads the body by its media type. A request without a body sends no fields. If the client waits for a 100 Continue, it
 * is sent here, after all other checks of the request.
 */
export function readBody(request: Request, response: Response): Promise<unknown> | object {
  return hasBody(request) ? read(request, response) : {};
}

/**
 * Reads and drops the body of a request that takes no fields. So a request whose body turns out to be broken changes
 * nothing, and its answer is a 400.
 */
export function dropBody(request: Request, response: Response): Promise<unknown> | undefined {
  return hasBody(request) ? receive(request, response) : undefined;
}

async function read(request: Request, response: Response): Promise<unknown> {
  const reader = readerOf(request);
  const decompress = decompressorOf(request);
  const sent = await receive(request, response);
  return readWith(reader, decompress === undefined ? sent : await decompress(sent));
}

/** Receives the body as it is sent. If the client waits for a 100 Continue, this sends it first. */
async function receive(request: Request, response: Response): Promise<Uint8Array> {
  if (Number(request.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  if (awaitsContinue(request)) response.writeContinue();
  const sent = await whileClientSends(request, () => readRaw(request));
  if (isRefused(request)) throw overloaded();
  return sent;
}

/** Decides as Node does. A client of HTTP/1.0 does not know interim responses (RFC 9110, section 10.1.1). */
function awaitsContinue({ headers, httpVersion }: Request): boolean {
  return httpVersion === "1.1" && headers.expect !== undefined && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);
}

/** Reads at most as much as the limit, whatever the client sends. */
async function readRaw(request: Request): Promise<Uint8Array> {
  try {
    return await getRawBody(request, { limit: maxBodyBytes, length: request.headers["content-length"] ?? null });
  } catch (error) {
    // raw-body names the fault in `type`.
    if (!(error instanceof Error && "type" in error)) throw error;
    throw error.type === "entity.too.large" ? tooLarge(error) : unreadableBody("it is incomplete", error);
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
    throw unsupported(
      "The content encoding of the body is not supported. Send the body uncompressed or with gzip.",
      request,
    );
  }
  return async (sent) => {
    try {
      return await decompress(sent, { maxOutputLength: maxBodyBytes });
    } catch (error) {
      const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
      throw isTooLarge ? tooLarge(error) : unreadableBody("its compressed data is invalid or incomplete", error);
    }
  };
}

function readerOf(request: Request): BodyReader {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(parameter)?.[1]).find(Boolean);
  const reader = Object.entries(readers).find(([name]) => name === type.trim())?.[1];
  if (reader === undefined) {
    const fault = type.trim() === "" ? "is missing" : `${JSON.stringify(type.trim())} is not supported`;
    throw unsupported(`The content type of the body ${fault}. Send one of: ${accepted}.`, request);
  }
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw unsupported(`The charset of the body ${JSON.stringify(charset)} is not supported. Send UTF-8.`, request);
  }
  return reader;
}

function readWith(reader: BodyReader, bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw unreadableBody("it is not UTF-8");
  const text = new TextDecoder().decode(bytes);
  if (text === "") return {};
  try {
    return reader.read(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unreadableBody(reader.fault, cause);
  }
}

function tooLarge(cause?: unknown): AppError {
  return new AppError("body_too_large", `The body is larger than ${maxBodyBytes} bytes. Send a smaller body.`, {
    headers: { Connection: "close" },
    cause,
  });
}

function unsupported(detail: string, request: Request): AppError {
  const header = request.method === "POST" ? "Accept-Post" : "Accept";
  return new AppError("unsupported_media_type", detail, { headers: { [header]: accepted } });
}
