import { type Contract, routes } from "@siteward/contract";
import { type Created, replayedHeader } from "@siteward/service";
import type { Dependencies } from "../dependencies.ts";
import { baseUrlOf } from "../door/http/base-url.ts";
import { disconnectSignalOf } from "../door/http/disconnect-signal.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import { authorOf } from "./author-of.ts";
import { addHeader, principalOf } from "./exchange-parts.ts";
import type { Handler, HandlerRequest, RequestParts } from "./handler.ts";
import { idempotencyOf } from "./idempotent-requests.ts";

type Route = Contract["websites"]["create"];

/** Creates a website (docs/interface.md, section 4, "Create website"). */
export function createWebsite(dependencies: Dependencies): Handler<Route> {
  const { config } = dependencies;
  return async ({ body, req, res }) => {
    const created = await create(dependencies, req, body);
    const url = `${baseUrlOf(req, config.publicUrl)}${routes.websites.create.path}/${created.website.id}`;
    addHeader(res, "Location", url);
    if (created.isReplay) addHeader(res, ...replayedHeader);
    return { status: 201, body: answerWithWebsite({ req, res }, created) };
  };
}

async function create(
  { storage, passwords }: Dependencies,
  request: HandlerRequest,
  { password, ...fields }: RequestParts<Route>["body"],
): Promise<Created> {
  const { id: keyId, accountId } = principalOf(request);
  const options = { by: authorOf(request), idempotency: idempotencyOf(request) };
  const insert = (passwordHash: string | null) =>
    storage.websites.create(accountId, { ...fields, passwordHash }, options);
  if (password === undefined) return insert(null);
  // A retry must not cost a hash, which takes 25 to 60 ms of a core.
  const earlier = await storage.websites.findCreated(accountId, options.idempotency);
  if (earlier !== undefined) return earlier;
  return insert(await passwords.hash(password, { keyId, disconnected: disconnectSignalOf(request) }));
}
