import { type Contract, routes } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { baseUrlOf } from "../http/base-url.ts";
import { disconnectSignalOf } from "../http/disconnect-signal.ts";
import { addHeader } from "../http/send.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import type { Handler } from "./handler.ts";

/** Creates a website (docs/interface.md, section 4, "Create website"). */
export function createWebsite({ storage, config, passwords }: Dependencies): Handler<Contract["websites"]["create"]> {
  return async ({ body, req, res }) => {
    const { password, ...fields } = body;
    const { id: keyId, accountId } = principalOf(req);
    const passwordHash =
      password === undefined ? null : await passwords.hash(password, { keyId, disconnected: disconnectSignalOf(req) });
    const created = await storage.websites.create(accountId, { ...fields, passwordHash });
    const url = `${baseUrlOf(req, config.publicUrl)}${routes.websites.create.path}/${created.website.id}`;
    addHeader(res, "Location", url);
    return { status: 201, body: answerWithWebsite(res, created) };
  };
}
