import type { Contract } from "@siteward/contract";
import { websiteNotFound, websiteTag } from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import { authorOf } from "./author-of.ts";
import { checkConditions } from "./conditions.ts";
import { principalOf } from "./exchange-parts.ts";
import type { Handler } from "./handler.ts";

/** Deletes a website. Its id is never used again (docs/interface.md, section 4, "Delete website"). */
export function deleteWebsite({ storage }: Dependencies): Handler<Contract["websites"]["delete"]> {
  return async ({ params, req }) => {
    const { accountId } = principalOf(req);
    const wasThere = await storage.websites.delete(
      accountId,
      params.id,
      (current) => void checkConditions(req, websiteTag(accountId, current)),
      authorOf(req),
    );
    if (!wasThere) throw websiteNotFound();
    return { status: 204, body: undefined };
  };
}
