import type { Contract } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { websiteNotFound } from "../errors/app-error.ts";
import { answerRead } from "./answer-read.ts";
import type { Handler } from "./handler.ts";
import { websiteTag } from "./website-tag.ts";

/** Reads one website (docs/interface.md, section 4, "Get one website"). */
export function getWebsite({ storage }: Dependencies): Handler<Contract["websites"]["get"]> {
  return async ({ params, req, res }) => {
    const found = await storage.websites.get(principalOf(req).accountId, params.id);
    if (found === undefined) throw websiteNotFound();
    return answerRead({ req, res }, websiteTag(found), () => ({ data: found.website }));
  };
}
