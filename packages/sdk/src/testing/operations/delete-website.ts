import type { Contract } from "@siteward/contract";
import { checkConditions, websiteNotFound, websiteTag } from "@siteward/service";
import type { Operation } from "./operation.ts";

export const deleteWebsite: Operation<Contract["websites"]["delete"]> = ({ state, params, conditions }) => {
  const found = state.websites.get(params.id);
  if (found === undefined) throw websiteNotFound();
  checkConditions(conditions, websiteTag(state.account.id, found));
  state.websites.delete(found, state.clock.now().getTime());
  return { status: 204 };
};
