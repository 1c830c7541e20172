import type { Contract } from "@siteward/contract";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { websiteNotFound } from "../errors/app-error.ts";
import type { Handler } from "./handler.ts";

/** Deletes a website. Its id is never used again (docs/interface.md, section 4, "Delete website"). */
export function deleteWebsite({ storage }: Dependencies): Handler<Contract["websites"]["delete"]> {
  return async ({ params, req }) => {
    const wasThere = await storage.websites.delete(principalOf(req).accountId, params.id);
    if (!wasThere) throw websiteNotFound();
    return { status: 204, body: undefined };
  };
}
