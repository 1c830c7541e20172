import { type Contract, routes, type Website } from "@siteward/contract";
import { AppError, replayedHeader, websiteTag } from "@siteward/service";
import type { FakeState } from "../state/fake-state.ts";
import type { IdempotentRequest, Outcome } from "../state/kept-outcomes.ts";
import { insertWebsite } from "./insert-website.ts";
import type { Operation, OperationInput } from "./operation.ts";

type Entry = Contract["websites"]["create"];

export const createWebsite: Operation<Entry> = ({ state, body, idempotency }) => {
  const nowMs = state.clock.now().getTime();
  const earlier = idempotency === undefined ? undefined : state.outcomes.find(idempotency, nowMs);
  const website = earlier ?? create(state, body, idempotency);
  return {
    status: 201,
    headers: {
      ETag: websiteTag(state.account.id, { website, version: 1 }),
      Location: `${state.baseUrl}${routes.websites.create.path}/${website.id}`,
      ...(earlier === undefined ? {} : Object.fromEntries([replayedHeader])),
    },
    body: { data: website },
  };
};

/** Creates a website, and keeps the outcome for the idempotency key. */
function create(
  state: FakeState,
  body: OperationInput<Entry>["body"],
  idempotency: IdempotentRequest | undefined,
): Website {
  const keep = (outcome: Outcome): void => {
    if (idempotency !== undefined) state.outcomes.keep(idempotency, outcome, state.clock.now().getTime());
  };
  try {
    const created = insertWebsite(state, body);
    keep({ created });
    return created;
  } catch (refusal) {
    if (refusal instanceof AppError) keep({ refusal });
    throw refusal;
  }
}
