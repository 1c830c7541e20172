import { type Contract, routes } from "@siteward/contract";
import { listTag, readListRequest, toWebsitePage } from "@siteward/service";
import { digest } from "../state/digest.ts";
import { answerRead } from "./answer-read.ts";
import type { Operation } from "./operation.ts";

export const listWebsites: Operation<Contract["websites"]["list"]> = ({ state, query, conditions }) => {
  const request = readListRequest(query, digest);
  const list = state.websites.list(request);
  const listUrl = `${state.baseUrl}${routes.websites.list.path}`;
  return answerRead(conditions, listTag(state.account.id, list), () =>
    toWebsitePage(list, { query, request, listUrl, digest }),
  );
};
