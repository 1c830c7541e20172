import express, { type Request, type RequestHandler } from "express";
import { parse as parseJson } from "secure-json-parse";
import { AppError } from "../errors/app-error.ts";
import { decodeForm } from "./form.ts";

/** The largest body that is read, after decompression. */
export const maxBodyBytes = 64 * 1024;

/** How a body of each media type is read: the one the interface documents (section 4), and the one its clients also send. */
const readers = {
  "application/x-www-form-urlencoded": decodeForm,
  "application/json": (text: string): unknown => parseJson(text, { protoAction: "error" }),
} as const satisfies Record<string, (text: string) => unknown>;

const accepted = Object.keys(readers).join(", ");
const readRaw = express.raw({ type: () => true, limit: maxBodyBytes });

/** Reads the body into `request.body` by its media type. A request without a body is one that sends no fields. */
export const readBody: RequestHandler = (request, response, next) => {
  if (!hasBody(request)) {
    request.body = {};
    next();
    return;
  }
  const reader = readerOf(request);
  readRaw(request, response, (error?: unknown) => {
    if (error !== undefined) {
      next(translate(error, request));
      return;
    }
    try {
      request.body = readWith(reader, request.body);
    } catch (cause) {
      next(cause);
      return;
    }
    next();
  });
};

function hasBody(request: Request): boolean {
  const length = request.headers["content-length"];
  return request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

function readerOf(request: Request): (text: string) => unknown {
  const [type = "", ...parameters] = (request.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(parameter)?.[1]).find(Boolean);
  const reader = Object.entries(readers).find(([name]) => name === type.trim())?.[1];
  if (reader === undefined) {
    const sent = type.trim() === "" ? "no content type" : `the content type ${JSON.stringify(type.trim())}`;
    throw unsupported(`The body has ${sent}; send one of ${accepted}.`, request);
  }
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw unsupported(`The body has the charset ${JSON.stringify(charset)}; send UTF-8.`, request);
  }
  return reader;
}

function readWith(reader: (text: string) => unknown, body: unknown): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body instanceof Uint8Array ? body : undefined);
    return text === "" ? {} : reader(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "it is not UTF-8";
    throw new AppError("malformed_request", `The body could not be read: ${reason}`, { cause });
  }
}

/** body-parser tells by `type` what went wrong. */
function translate(error: unknown, request: Request): unknown {
  if (!(error instanceof Error) || !("type" in error)) return error;
  switch (error.type) {
    case "entity.too.large":
      return new AppError("body_too_large", `The body is larger than ${maxBodyBytes} bytes.`, {
        headers: { Connection: "close" },
        cause: error,
      });
    case "encoding.unsupported":
      return unsupported("The body has a content encoding that is not read; send it plain or with gzip.", request);
    default:
      return new AppError("malformed_request", `The body could not be read: ${error.message}`, { cause: error });
  }
}

function unsupported(detail: string, request: Request): AppError {
  const header = request.method === "POST" ? "Accept-Post" : "Accept";
  return new AppError("unsupported_media_type", detail, { headers: { [header]: accepted } });
}
