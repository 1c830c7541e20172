import { isUtf8 } from "node:buffer";
import express, { type Request, type RequestHandler } from "express";
import { AppError } from "../errors/app-error.ts";
import { decodeForm } from "./form.ts";
import { decodeJson } from "./json.ts";

/** The largest body that is read, after decompression. */
const maxBodyBytes = 64 * 1024;

interface BodyReader {
  readonly read: (text: string) => unknown;
  /** Why a text could not be read. A parser's own message would quote the body, which may hold a password. */
  readonly fault: string;
}

/** How a body of each media type is read: the one the interface documents (section 4), and the one its clients also send. */
const readers = {
  "application/x-www-form-urlencoded": {
    read: decodeForm,
    fault: "its percent-encoding is broken or does not spell UTF-8",
  },
  "application/json": {
    read: decodeJson,
    fault: 'it is not valid JSON, names a field twice, or has a member named "__proto__" or "constructor"',
  },
} as const satisfies Record<string, BodyReader>;

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

function readerOf(request: Request): BodyReader {
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

function readWith(reader: BodyReader, body: unknown): unknown {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  if (!isUtf8(bytes)) throw new AppError("malformed_request", "The body could not be read: it is not UTF-8.");
  const text = new TextDecoder().decode(bytes);
  if (text === "") return {};
  try {
    return reader.read(text);
  } catch (cause) {
    throw new AppError("malformed_request", `The body could not be read: ${reader.fault}.`, { cause });
  }
}

/** body-parser tells by `type` and `status` what went wrong. */
function translate(error: unknown, request: Request): unknown {
  if (!(error instanceof Error && "status" in error && Number(error.status) < 500)) return error;
  switch ("type" in error ? error.type : undefined) {
    case "entity.too.large":
      return new AppError("body_too_large", `The body is larger than ${maxBodyBytes} bytes.`, {
        headers: { Connection: "close" },
        cause: error,
      });
    case "encoding.unsupported":
      return unsupported("The body has a content encoding that is not read; send it plain or with gzip.", request);
    default:
      return new AppError(
        "malformed_request",
        "The body could not be read: it is cut short or its encoding is broken.",
        {
          cause: error,
        },
      );
  }
}

function unsupported(detail: string, request: Request): AppError {
  const header = request.method === "POST" ? "Accept-Post" : "Accept";
  return new AppError("unsupported_media_type", detail, { headers: { [header]: accepted } });
}
