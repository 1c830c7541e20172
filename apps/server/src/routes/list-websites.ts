import { type Contract, routes } from "@siteward/contract";
import { listTag, readListRequest, toWebsitePage } from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import { baseUrlOf } from "../door/http/base-url.ts";
import { answerRead } from "./answer-read.ts";
import { digest } from "./digest.ts";
import { principalOf } from "./exchange-parts.ts";
import type { Handler } from "./handler.ts";

/** Lists the account's websites (docs/interface.md, section 4, "List websites"). */
export function listWebsites({ storage, config }: Dependencies): Handler<Contract["websites"]["list"]> {
  return async ({ query, req, res }) => {
    const request = readListRequest(query, digest);
    const { accountId } = principalOf(req);
    const list = await storage.websites.list(accountId, request);
    return answerRead({ req, res }, listTag(accountId, list), () => {
      const listUrl = `${baseUrlOf(req, config.publicUrl)}${routes.websites.list.path}`;
      return toWebsitePage(list, { query, request, listUrl, digest });
    });
  };
}
