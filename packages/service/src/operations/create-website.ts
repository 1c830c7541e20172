import { type Contract, routes } from "@siteward/contract";
import { replayedHeader } from "../problem-details.ts";
import type { Created } from "../storage.ts";
import { websiteTag } from "./answer-read.ts";
import type { Call, Operation, Service } from "./operation.ts";

type Route = Contract["websites"]["create"];

/** Creates a website (docs/interface.md, section 4, "Create website"). */
export const createWebsite: Operation<Route> = async (call, service) => {
  const created = await create(call, service);
  const { website } = created;
  return {
    status: 201,
    headers: {
      Location: `${call.baseUrl()}${routes.websites.create.path}/${website.id}`,
      ...(created.isReplay ? { [replayedHeader]: "true" } : {}),
      ETag: websiteTag(call.principal.accountId, created),
    },
    body: { data: website },
  };
};

async function create(call: Call<Route>, { storage, passwords }: Service): Promise<Created> {
  const { principal, author: by, idempotency } = call;
  const { password, ...fields } = call.body;
  const insert = (passwordHash: string | null) =>
    storage.websites.create(principal.accountId, { ...fields, passwordHash }, { by, idempotency });
  if (password === undefined) return insert(null);
  // A retry must not cost a hash, which takes 20 to 50 ms of a core.
  const earlier = idempotency && (await storage.websites.findCreated(principal.accountId, idempotency));
  if (earlier !== undefined) return earlier;
  return insert(await passwords.hash(password, call));
}
