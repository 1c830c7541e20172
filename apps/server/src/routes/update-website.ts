import type { Contract, Website } from "@siteward/contract";
import type { ServerInferRequest } from "@ts-rest/core";
import { principalOf } from "../auth/principal.ts";
import type { Dependencies } from "../dependencies.ts";
import { validationFailed, websiteNotFound } from "../errors/app-error.ts";
import { disconnectSignalOf } from "../http/disconnect-signal.ts";
import type { WebsiteChange } from "../storage/storage.ts";
import { answerWithWebsite } from "./answer-with-website.ts";
import type { Handler } from "./handler.ts";
import { passwordFaultOn } from "./refuse-faulty-password.ts";

type Body = ServerInferRequest<Contract["websites"]["update"]>["body"];

/** Changes the fields that were sent (interface, section 4, "Update website"). */
export function updateWebsite({ storage, passwords }: Dependencies): Handler<Contract["websites"]["update"]> {
  return async ({ params, body, req, res }) => {
    const { id: keyId, accountId } = principalOf(req);
    const { password } = body;
    const passwordHash =
      password === undefined ? undefined : await passwords.hash(password, { keyId, gone: disconnectSignalOf(req) });
    const updated = await storage.websites.update(accountId, params.id, (current) =>
      decide(current, body, passwordHash),
    );
    if (updated === undefined) throw websiteNotFound();
    return { status: 200, body: answerWithWebsite(res, updated) };
  };
}

/** Works out what is written over the current record. It may run again, on a newer record, if the transaction is retried. */
function decide(current: Website, body: Body, passwordHash: string | undefined): WebsiteChange {
  // The record may have changed since it was looked at before the hashing.
  const fault = passwordFaultOn(current, body);
  if (fault !== undefined) throw validationFailed({ password: [fault] });
  const { password: _, domain: __, ...sent } = body;
  const change: WebsiteChange = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  if (passwordHash !== undefined) return { ...change, passwordHash };
  const isLeavingPassword = current.has_password && (body.privacy ?? current.privacy) !== 2;
  return isLeavingPassword ? { ...change, passwordHash: null } : change;
}
