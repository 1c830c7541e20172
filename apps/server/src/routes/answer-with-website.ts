import type { Website } from "@siteward/contract";
import { type VersionedWebsite, websiteTag } from "@siteward/service";
import type { Response } from "express";
import { addHeader, principalOf } from "./exchange-parts.ts";
import type { HandlerRequest } from "./handler.ts";

/** Returns the body of a response with a record that was created or changed, and adds the record's entity tag. */
export function answerWithWebsite(
  { req, res }: { readonly req: HandlerRequest; readonly res: Response },
  versioned: VersionedWebsite,
): { data: Website } {
  addHeader(res, "ETag", websiteTag(principalOf(req).accountId, versioned));
  return { data: versioned.website };
}
