import type { Contract } from "@siteward/contract";
import { websiteNotFound, websiteTag } from "@siteward/service";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

export const getWebsite: Operation<Contract["websites"]["get"]> = ({ state, params, conditions }) => {
  const found = state.websites.get(params.id);
  if (found === undefined) throw websiteNotFound();
  return answerRead(conditions, websiteTag(state.account.id, found), () => ({ data: found.website }));
};
