import { type CreateWebsite, createWebsiteBody, type UpdateWebsite, type Website } from "@siteward/contract";
import { listFields } from "@siteward/contract/website-fields";
import {
  AppError,
  collectFieldErrors,
  decideUpdate,
  readUpdate,
  type VersionedWebsite,
  validateUpdate,
  validationFailed,
} from "@siteward/service";
import { checkObject } from "../state/check-known.ts";
import type { FakeState } from "../state/fake-state.ts";
import { setUpError } from "../state/set-up-error.ts";

/** The function that a test called, and what it calls its argument there. */
interface Caller {
  readonly functionName: string;
  readonly name: string;
}

/**
 * Creates a website by the same rules as a request.
 *
 * @throws TypeError if the service would refuse it
 */
export function setUpWebsite(state: FakeState, website: CreateWebsite, caller: Caller): Website {
  return asService(caller, () => {
    const { data, error } = createWebsiteBody.safeParse(toSentFields(website));
    if (data === undefined) throw validationFailed(collectFieldErrors(error.issues));
    const { password, ...fields } = data;
    const passwordHash = password === undefined ? null : storedHash;
    return state.account.websites.create({ ...fields, passwordHash }, state.clock.now().getTime()).website;
  });
}

/**
 * Updates a website by the same rules as a request.
 *
 * @throws TypeError if it does not exist, or the service would refuse the change
 */
export function setUpChange(state: FakeState, id: number, changes: UpdateWebsite): Website {
  const caller = { functionName: "updateWebsite", name: "the changes" };
  checkObject(changes, caller.functionName, caller.name);
  const current = requireWebsite(state, id, caller.functionName);
  const sent = toSentFields(changes);
  return asService(caller, () => {
    const update = readUpdate(sent);
    const body = validateUpdate(update, update.concernsPassword ? current.website : undefined);
    const change = decideUpdate(current.website, body, body.password === undefined ? undefined : storedHash);
    return state.account.websites.update(current, change, state.clock.now().getTime()).website;
  });
}

/** The fake stores only whether there is a password. */
export const storedHash = "a hash";

/** @throws TypeError if the website does not exist */
export function setUpDeletion(state: FakeState, id: number): void {
  state.account.websites.delete(requireWebsite(state, id, "deleteWebsite"), state.clock.now().getTime());
}

function requireWebsite({ account: { websites } }: FakeState, id: number, functionName: string): VersionedWebsite {
  const found = websites.get(id);
  if (found !== undefined) return found;
  throw setUpError(functionName, `no website has the ID ${JSON.stringify(id)}. Pass the ID of one of fake.websites.`);
}

/** Returns the fields as the client sends them. */
function toSentFields(fields: CreateWebsite | UpdateWebsite): Record<string, unknown> {
  const sent: Record<string, unknown> = { ...fields };
  for (const field of listFields) if (sent[field] === null) sent[field] = [];
  return sent;
}

function asService<Result>({ functionName, name }: Caller, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw setUpError(functionName, `the service would refuse ${name}. ${error.message}`);
  }
}
