import type { Website } from "@siteward/contract/types";
import { isWebsite } from "../state/mirrored-website.ts";
import type { Owner } from "./identify-client.ts";

/**
 * A file has lines of JSON: a head, then websites, 100 on a line, and a tail with the number of websites and a digest of all lines
 * before it. A file without its tail is not whole.
 */
const fileFormat = "siteward-mirror";
const fileVersion = 1;
export const websitesOnLine = 100;

/** The first line. */
export interface FileHead {
  readonly owner: Owner;
  readonly cursor: string;
  readonly syncMs: number;
}

/** The last line. */
export interface FileTail {
  readonly websites: number;
  readonly sha256: string;
}

export function writeHead({ owner, cursor, syncMs }: FileHead): string {
  const { baseUrl: base_url, apiKey: api_key } = owner;
  const last_sync_at = new Date(syncMs).toISOString();
  return JSON.stringify({ format: fileFormat, version: fileVersion, base_url, api_key, cursor, last_sync_at });
}

/** Says why a file is not used. */
export type Unusable = "broken" | "newer";

export function readHead(line: string): FileHead | Unusable {
  const head = readObject(line);
  const { format, version, base_url: baseUrl, api_key: apiKey, cursor, last_sync_at } = head;
  if (format !== fileFormat) return "broken";
  if (typeof version === "number" && version > fileVersion) return "newer";
  const syncMs = Date.parse(String(last_sync_at));
  if (version !== fileVersion || Number.isNaN(syncMs)) return "broken";
  if (typeof baseUrl !== "string" || typeof apiKey !== "string" || typeof cursor !== "string") return "broken";
  return { owner: { baseUrl, apiKey }, cursor, syncMs };
}

export function writeTail(tail: FileTail): string {
  return JSON.stringify(tail);
}

/** @returns undefined if the line is not a tail */
export function readTail(line: string): FileTail | undefined {
  const { websites, sha256 } = readObject(line);
  return typeof websites === "number" && typeof sha256 === "string" ? { websites, sha256 } : undefined;
}

/** @returns undefined if the line has anything but websites */
export function readWebsites(line: string): Website[] | undefined {
  const websites = parse(line);
  return Array.isArray(websites) && websites.every(isWebsite) ? websites : undefined;
}

function readObject(line: string): Record<string, unknown> {
  return Object(parse(line));
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
