import type { Contract } from "@siteward/contract";
import { checkConditions } from "../conditions/check-conditions.ts";
import { websiteNotFound } from "../errors/refusals.ts";
import type { VersionedWebsite } from "../records/website-change.ts";
import { findKnownVersion, websiteTag } from "../records/website-tag.ts";
import { answerRead } from "./answer-read.ts";
import type { Call, Operation } from "./operation.ts";

/** Reads one website (docs/interface.md, section 4, "Get one website"). */
export const getWebsite: Operation<Contract["websites"]["get"]> = async (call, { storage }) => {
  const { accountId } = call.principal;
  const { id } = call.params;
  const { ifNoneMatch = [] } = call.conditions ?? {};
  const known = ifNoneMatch === "*" ? undefined : findKnownVersion(accountId, id, ifNoneMatch);
  if (known === undefined) return answer(call, await storage.websites.get(accountId, id));
  // The record of a client that has it already is not read: full lists take as long as all else.
  const found = await storage.websites.getUnless(accountId, id, known.version);
  if (found !== "unchanged") return answer(call, found);
  checkConditions(call.conditions, known.tag);
  return { status: 304, headers: { ETag: known.tag }, body: undefined };
};

function answer(call: Pick<Call, "conditions" | "principal">, found: VersionedWebsite | undefined) {
  if (found === undefined) throw websiteNotFound();
  return answerRead(call, websiteTag(call.principal.accountId, found), () => ({ data: found.website }));
}
