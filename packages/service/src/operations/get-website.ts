import type { Contract } from "@siteward/contract";
import { websiteNotFound } from "../refusals.ts";
import { answerRead, websiteTag } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/** Reads one website (docs/interface.md, section 4, "Get one website"). */
export const getWebsite: Operation<Contract["websites"]["get"]> = async (call, { storage }) => {
  const { accountId } = call.principal;
  const found = await storage.websites.get(accountId, call.params.id);
  if (found === undefined) throw websiteNotFound();
  return answerRead(call, websiteTag(accountId, found), () => ({ data: found.website }));
};
