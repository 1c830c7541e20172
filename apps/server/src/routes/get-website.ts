import type { Contract } from "@siteward/contract";
import { websiteNotFound, websiteTag } from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import { answerRead } from "./answer-read.ts";
import { principalOf } from "./exchange-parts.ts";
import type { Handler } from "./handler.ts";

/** Reads one website (docs/interface.md, section 4, "Get one website"). */
export function getWebsite({ storage }: Dependencies): Handler<Contract["websites"]["get"]> {
  return async ({ params, req, res }) => {
    const { accountId } = principalOf(req);
    const found = await storage.websites.get(accountId, params.id);
    if (found === undefined) throw websiteNotFound();
    return answerRead({ req, res }, websiteTag(accountId, found), () => ({ data: found.website }));
  };
}
