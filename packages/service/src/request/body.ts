import { AppError } from "../app-error.ts";
import { validationFailed } from "../refusals.ts";
import { decodeForm } from "./form.ts";
import { decodeJson } from "./json.ts";
import { unreadable } from "./refused-body.ts";

/** The largest body that is read, after decompression. */
export const maxBodyBytes = 64 * 1024;

export interface BodyReader<Fields = unknown> {
  readonly read: (text: string) => Fields;
  /** Why a text could not be read. A parser's own message would quote the body, which can contain a password. */
  readonly fault: string;
}

/** How a body of each media type is read: form data (docs/interface.md, section 4), and JSON, which clients also send. */
const readers = {
  "application/x-www-form-urlencoded": {
    read: readForm,
    fault: "its percent-encoding is invalid or does not decode to UTF-8. Encode it as UTF-8",
  },
  "application/json": { read: decodeJson, fault: "it is not valid JSON" },
} as const satisfies Record<string, BodyReader>;

/** curl and others send what they are given as a form, unless they are told the content type. */
function readForm(text: string): unknown {
  const sent = text.trim();
  // No field of a form begins so. Parsing it would be the surest, but can take 8 ms.
  const isJson = (sent.startsWith("{") && sent.endsWith("}")) || (sent.startsWith("[") && sent.endsWith("]"));
  if (isJson) throw validationFailed({ body: [sentAsForm] });
  return decodeForm(text);
}

const sentAsForm =
  "looks like JSON, but its content type is that of a form; send the header Content-Type: application/json";

const accepted = Object.keys(readers).join(", ");

/**
 * Returns what reads a body of this content type.
 *
 * @throws AppError `unsupported_media_type`
 */
export function findBodyReader(method: string | undefined, contentType: string | undefined): BodyReader {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"]*)"?\s*$/.exec(parameter)?.[1]).find(Boolean);
  const reader = Object.entries(readers).find(([name]) => name === type.trim())?.[1];
  if (reader === undefined) {
    const fault = type.trim() === "" ? "is missing" : `${JSON.stringify(type.trim())} is not supported`;
    throw unsupportedBody(`The content type of the body ${fault}. Send one of: ${accepted}.`, method);
  }
  if (charset !== undefined && charset !== "utf-8" && charset !== "utf8") {
    throw unsupportedBody(`The charset of the body ${JSON.stringify(charset)} is not supported. Send UTF-8.`, method);
  }
  return reader;
}

/**
 * Reads the fields of a body. An empty body has none.
 *
 * @throws AppError `malformed_request`, or `validation_failed` if it has too many fields or is JSON that is sent as a form
 */
export function readBodyBytes(reader: BodyReader, bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (cause) {
    throw unreadable("body", "it is not UTF-8", cause);
  }
  return text === "" ? {} : readText("body", reader, text);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readText<Fields>(part: "body" | "query string", { read, fault }: BodyReader<Fields>, text: string): Fields {
  try {
    return read(text);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw unreadable(part, fault, cause);
  }
}

/** Returns the refusal of a body of more than {@link maxBodyBytes}. The rest is not read. */
export function bodyTooLarge(cause?: unknown): AppError {
  return new AppError("body_too_large", `The body is larger than ${maxBodyBytes} bytes. Send a smaller body.`, {
    facts: { connection: "close" },
    cause,
  });
}

/** Returns the refusal of a body whose content encoding is unknown. */
export function unsupportedEncoding(method: string | undefined): AppError {
  return unsupportedBody(
    "The content encoding of the body is not supported. Send the body uncompressed or with gzip.",
    method,
  );
}

function unsupportedBody(detail: string, method: string | undefined): AppError {
  const facts = method === "POST" ? { acceptPost: accepted } : { accept: accepted };
  return new AppError("unsupported_media_type", detail, { facts });
}

/**
 * Reads a query string as strictly as a form body. Node's own parser ignores broken percent-encoding, and silently drops
 * parameters after the thousandth.
 */
export function readQuery(text: string | null): Record<string, string | string[]> {
  const { fault } = readers["application/x-www-form-urlencoded"];
  return text === null ? {} : readText("query string", { read: (query) => decodeForm(query, "query"), fault }, text);
}
