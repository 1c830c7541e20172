import type { Contract } from "@siteward/contract";
import { checkConditions } from "../conditions.ts";
import { websiteNotFound } from "../refusals.ts";
import { websiteTag } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/** Deletes a website. Its id is never used again (docs/interface.md, section 4, "Delete website"). */
export const deleteWebsite: Operation<Contract["websites"]["delete"]> = async (call, { storage }) => {
  const { accountId } = call.principal;
  const wasThere = await storage.websites.delete(
    accountId,
    call.params.id,
    (current) => void checkConditions(call.conditions, websiteTag(accountId, current)),
    call.author,
  );
  if (!wasThere) throw websiteNotFound();
  return { status: 204, body: undefined };
};
