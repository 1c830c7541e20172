import type { Website } from "@siteward/contract";
import type { Response } from "express";
import { addHeader } from "../http/send.ts";
import type { VersionedWebsite } from "../storage/storage.ts";

/**
 * Returns the body of a response with a record, and adds the record's strong entity tag (RFC 9110, section 8.8.3). The
 * tag contains the row version, which rises with every change.
 */
export function answerWithWebsite(response: Response, { website, version }: VersionedWebsite): { data: Website } {
  addHeader(response, "ETag", `"${website.id}-${version}"`);
  return { data: website };
}
