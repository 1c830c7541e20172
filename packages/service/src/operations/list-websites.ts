import { type Contract, routes } from "@siteward/contract";
import { readListRequest } from "../lists/read-list-request.ts";
import { listTag, toWebsitePage } from "../lists/to-website-page.ts";
import { answerRead } from "./answer-read.ts";
import { listChanges } from "./list-changes.ts";
import type { Operation } from "./operation.ts";
import { tagRecords } from "./tag-records.ts";

/** Lists the account's websites (docs/interface.md, section 4, "List websites"). */
export const listWebsites: Operation<Contract["websites"]["list"]> = async (call, service) => {
  const { query } = call;
  if (query.changed_since !== undefined) return listChanges(call, service, query.changed_since);
  const { accountId } = call.principal;
  const request = readListRequest(query);
  const list = await service.storage.websites.list(accountId, request);
  return answerRead(call, listTag(accountId, list), () => {
    const listUrl = `${call.baseUrl()}${routes.websites.list.path}`;
    const entityTags = query.entity_tags === 1 ? tagRecords(accountId, list) : undefined;
    return toWebsitePage(list, { accountId, query, request, listUrl, entityTags });
  });
};
