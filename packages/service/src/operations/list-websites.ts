import { type Contract, routes } from "@siteward/contract";
import { listTag } from "../lists/list-tag.ts";
import { readListRequest } from "../lists/read-list-request.ts";
import { toWebsitePage } from "../lists/to-website-page.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

/** Lists the account's websites (docs/interface.md, section 4, "List websites"). */
export const listWebsites: Operation<Contract["websites"]["list"]> = async (call, { storage, digest }) => {
  const { query } = call;
  const { accountId } = call.principal;
  const request = readListRequest(query, digest);
  const list = await storage.websites.list(accountId, request);
  return answerRead(call, listTag(accountId, list), () =>
    toWebsitePage(list, {
      query,
      request,
      listUrl: `${call.baseUrl()}${routes.websites.list.path}`,
      accountId,
      digest,
    }),
  );
};
