import { type ServedContract, websiteTag } from "@siteward/service";
import { changeWebsite } from "./change-website.ts";
import type { Operation } from "./operation.ts";

export const updateWebsite: Operation<ServedContract["websites"]["update"]> = ({
  state,
  params,
  body: sent,
  conditions,
}) => {
  const updated = changeWebsite(state, { id: params.id, sent, conditions });
  return { status: 200, headers: { ETag: websiteTag(state.account.id, updated) }, body: { data: updated.website } };
};
