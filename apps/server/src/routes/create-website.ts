import { type Contract, routes } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { baseUrlOf } from "../http/base-url.ts";
import { clientGone } from "../http/client-gone.ts";
import { entityTagOf } from "../http/entity-tag.ts";
import type { Handler } from "./handler.ts";

/** Creates a website (interface, section 4, "Create website"). */
export function createWebsite({ storage, config, passwords }: Dependencies): Handler<Contract["websites"]["create"]> {
  return async ({ body, req, res }) => {
    const { password, ...fields } = body;
    const { id: keyId, accountId } = principalOf(req);
    const passwordHash =
      password === undefined ? null : await passwords.hash(password, { keyId, gone: clientGone(req) });
    const created = await storage.websites.create(accountId, { ...fields, passwordHash });
    const url = `${baseUrlOf(req, config.publicUrl)}${routes.websites.create.path}/${created.website.id}`;
    res.setHeader("Location", url);
    res.setHeader("ETag", entityTagOf(created));
    return { status: 201, body: { data: created.website } };
  };
}
