import { type Contract, routes } from "@siteward/contract";
import { cursorExpired, readChangesRequest } from "../lists/read-changes-request.ts";
import { changesTag, toChangesPage } from "../lists/to-changes-page.ts";
import { answerRead } from "./answer-read.ts";
import type { Call, Service } from "./operation.ts";
import { tagRecords } from "./tag-records.ts";

/**
 * Lists what has changed since a cursor (docs/interface.md, section 4, "Changes since a page").
 *
 * @throws AppError `cursor_expired`, `validation_failed` or `precondition_failed`
 */
export async function listChanges(
  call: Call<Contract["websites"]["list"]>,
  { storage }: Service,
  changedSince: string,
) {
  const { query } = call;
  const { accountId } = call.principal;
  const { first, since, perPage } = readChangesRequest(query, changedSince, accountId);
  const changes = await storage.websites.changes(accountId, { since, perPage });
  if (changes === "expired") throw cursorExpired();
  return answerRead(call, changesTag(accountId, since, changes), () => {
    const listUrl = `${call.baseUrl()}${routes.websites.list.path}`;
    const entityTags = query.entity_tags === 1 ? tagRecords(accountId, changes) : undefined;
    return toChangesPage(changes, { accountId, query, first, listUrl, entityTags });
  });
}
