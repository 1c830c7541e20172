import {
  type Conditions,
  checkConditions,
  decideUpdate,
  readUpdate,
  type VersionedWebsite,
  validateUpdate,
  websiteNotFound,
  websiteTag,
} from "@siteward/service";
import type { FakeState } from "../state/fake-state.ts";

/** A change of one website. */
interface SentChange {
  readonly id: number;
  /** The fields as they were sent. */
  readonly sent: unknown;
  readonly conditions: Conditions | undefined;
}

/**
 * Changes a website of the account.
 *
 * @throws AppError `not_found`, `validation_failed` or `precondition_failed`
 */
export function changeWebsite(state: FakeState, { id, sent, conditions }: SentChange): VersionedWebsite {
  const update = readUpdate(sent);
  const found = state.websites.get(id);
  if (update.concernsPassword && found === undefined) throw websiteNotFound();
  const body = validateUpdate(update, update.concernsPassword ? found?.website : undefined);
  if (found === undefined) throw websiteNotFound();
  const change = decideUpdate(found.website, body, body.password === undefined ? undefined : passwordHash);
  checkConditions(conditions, websiteTag(state.account.id, found));
  return state.websites.update(found, change, state.clock.now().getTime());
}

/** The fake stores only whether there is a password. */
const passwordHash = "a hash";
