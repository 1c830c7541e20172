import {
  AppError,
  bodyTooLarge,
  findBodyReader,
  maxBodyBytes,
  notUtf8,
  readBodyText,
  unsupportedEncoding,
} from "@siteward/service";
import type { SentRequest } from "./sent-request.ts";

/**
 * Reads the fields in the body of a request by its content type. A request without a body sends no fields.
 *
 * @throws AppError `unsupported_media_type`, `body_too_large` or `malformed_request`
 */
export function readFields({ method, headers, body }: SentRequest): unknown {
  if (body.byteLength === 0) return {};
  const reader = findBodyReader({ method, contentType: headers.get("Content-Type") ?? undefined });
  if ((headers.get("Content-Encoding") ?? "identity").toLowerCase() !== "identity") throw compressed(method);
  checkSize(body);
  return readBodyText(reader, decode(body));
}

/**
 * The service reads gzip, deflate and Brotli. Of these, `DecompressionStream` has no Brotli in most runtimes, and Bun has none
 * at all before 1.3.3. The client compresses nothing.
 */
function compressed(method: string): AppError {
  const { code, facts } = unsupportedEncoding(method);
  const detail = "The fake reads no compressed body, unlike the service. Send the body uncompressed in this test.";
  return new AppError(code, detail, { facts });
}

/** @throws AppError `body_too_large` */
export function checkSize({ byteLength }: Uint8Array): void {
  if (byteLength > maxBodyBytes) throw bodyTooLarge();
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw notUtf8();
  }
}
