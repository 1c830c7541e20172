import type { Contract } from "@siteward/contract";
import { changesTag, listTag, toChangesPage, toWebsitePage } from "../page.ts";
import { cursorExpired, readChangesRequest, readListRequest } from "../read-list.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/**
 * Lists the account's websites, or what has changed since a cursor (docs/interface.md, section 4, "List websites" and "Changes
 * since a page").
 */
export const listWebsites: Operation<Contract["websites"]["list"]> = async (call, { storage }) => {
  const { query, principal } = call;
  const { accountId } = principal;
  const asked = readChangesRequest(query, accountId);
  if (asked === undefined) {
    const request = readListRequest(query);
    const list = await storage.websites.list(accountId, request);
    return answerRead(call, listTag(accountId, list), () => toWebsitePage(call, request, list));
  }
  const changes = await storage.websites.changes(accountId, asked);
  if (changes === "expired") throw cursorExpired();
  return answerRead(call, changesTag(accountId, asked.since, changes), () => toChangesPage(call, changes));
};
