import { type Contract, routes } from "@siteward/contract";
import { listTag } from "../lists/list-tag.ts";
import { readListRequest } from "../lists/read-list-request.ts";
import { toWebsitePage } from "../lists/to-website-page.ts";
import { versionAt } from "../lists/version-at.ts";
import type { WebsiteList } from "../lists/website-list.ts";
import { websiteTag } from "../records/website-tag.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/** Lists the account's websites (docs/interface.md, section 4, "List websites"). */
export const listWebsites: Operation<Contract["websites"]["list"]> = async (call, { storage, digest }) => {
  const { query } = call;
  const { accountId } = call.principal;
  const request = readListRequest(query, digest);
  const list = await storage.websites.list(accountId, request);
  return answerRead(call, listTag(accountId, list), () => {
    const listUrl = `${call.baseUrl()}${routes.websites.list.path}`;
    const entityTags = query.entity_tags === 1 ? tagRecords(accountId, list) : undefined;
    return toWebsitePage(list, { query, request, listUrl, entityTags, digest });
  });
};

function tagRecords(accountId: number, list: WebsiteList): string[] {
  return list.websites.map((website, index) => websiteTag(accountId, { website, version: versionAt(list, index) }));
}
