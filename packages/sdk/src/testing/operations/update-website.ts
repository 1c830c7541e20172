import {
  checkConditions,
  decideUpdate,
  readUpdate,
  type ServedContract,
  validateUpdate,
  websiteNotFound,
  websiteTag,
} from "@siteward/protocol";
import type { Operation } from "./operation.ts";

export const updateWebsite: Operation<ServedContract["websites"]["update"]> = ({
  state,
  params,
  body: sent,
  conditions,
}) => {
  const update = readUpdate(sent);
  const found = state.websites.get(params.id);
  if (update.concernsPassword && found === undefined) throw websiteNotFound();
  const body = validateUpdate(update, update.concernsPassword ? found?.website : undefined);
  if (found === undefined) throw websiteNotFound();
  const change = decideUpdate(found.website, body, body.password === undefined ? undefined : passwordHash);
  checkConditions(conditions, websiteTag(state.account.id, found));
  const updated = state.websites.update(found, change, state.clock.now().getTime());
  return { status: 200, headers: { ETag: websiteTag(state.account.id, updated) }, body: { data: updated.website } };
};

/** The fake stores only whether there is a password. */
const passwordHash = "a hash";
