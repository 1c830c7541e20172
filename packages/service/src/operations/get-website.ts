import type { Contract } from "@siteward/contract";
import { checkConditions } from "../conditions/check-conditions.ts";
import { websiteNotFound } from "../errors/app-error.ts";
import { websiteTag } from "../records/website-tag.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/** Reads one website (docs/interface.md, section 4, "Get one website"). */
export const getWebsite: Operation<Contract["websites"]["get"]> = async (call, { storage }) => {
  const { accountId } = call.principal;
  const { id } = call.params;
  if (call.conditions !== undefined) {
    // The record of a client that has it already is not read: full lists take longer than all else.
    const version = await storage.websites.getVersion(accountId, id);
    if (version === undefined) throw websiteNotFound();
    const ETag = websiteTag(accountId, { website: { id }, version });
    if (checkConditions(call.conditions, ETag).isNotModified)
      return { status: 304, headers: { ETag }, body: undefined };
  }
  const found = await storage.websites.get(accountId, id);
  if (found === undefined) throw websiteNotFound();
  return answerRead(call, websiteTag(accountId, found), () => ({ data: found.website }));
};
