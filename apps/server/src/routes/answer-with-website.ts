import type { Website } from "@siteward/contract";
import type { Response } from "express";
import { addHeader } from "../http/send.ts";
import type { VersionedWebsite } from "../storage/storage.ts";
import { websiteTag } from "./website-tag.ts";

/** Returns the body of a response with a record that was created or changed, and adds the record's entity tag. */
export function answerWithWebsite(response: Response, versioned: VersionedWebsite): { data: Website } {
  addHeader(response, "ETag", websiteTag(versioned));
  return { data: versioned.website };
}
