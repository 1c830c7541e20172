import { readJson } from "../edits/json.ts";
import { anyOrigin, type Peer, readEach, readVisit } from "./peer.ts";

const isBatch = /^\ufeff?\s*\[/;
/** Umami counts a visit for its hostname, whatever the host of its URL is. */
const [page, referrer, domain] = ["payload.url", "payload.referrer", "payload.hostname"];
const names = { page, referrer, domain, userAgent: "payload.userAgent" };

/** `/api/send` and `/api/batch`. Umami believes the address and the user agent that anybody writes. */
export const umami: Peer = {
  paths: /\/api\/(send|batch)$/i,
  read({ body, isTrusted }) {
    const read = (json: string) => {
      const event = readJson(json);
      // No browser sends it, and a client that is not trusted cannot say that it has another address.
      const ip = event.get("payload.ip") === undefined || isTrusted() ? "payload.ip" : "";
      if (ip === "") event.set("payload.ip", undefined);
      const base = `https://${event.get("payload.hostname") || "localhost"}`;
      return [event, readVisit(event, { ...names, ip }, base)] as const;
    };
    if (isBatch.test(body)) return readEach(body, [], read);
    const [event, visit] = read(body);
    return { visits: [visit], write: () => ({ body: event.text }) };
  },
  answer({ body }, count) {
    const counts = { size: count, processed: count, errors: 0, details: [] };
    const answer = JSON.stringify(isBatch.test(body) ? counts : { beep: "boop" });
    return { status: 200, headers: { ...anyOrigin, "Content-Type": "application/json" }, body: answer };
  },
};
