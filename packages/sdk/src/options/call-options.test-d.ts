import type { Siteward } from "../siteward.ts";

declare const siteward: Siteward;
declare const etag: string | undefined;

// An entity tag of a response is accepted as it comes. Whether it is missing is checked when the call is made.
siteward.websites.update(7, { privacy: 1 }, { ifMatch: etag, timeoutMs: 1_000 });
siteward.websites.delete(7, { ifMatch: etag });
siteward.websites.create({ domain: "example.com" }, { idempotencyKey: "order-7", maxRetries: 5 });

// @ts-expect-error a create has no condition
siteward.websites.create({ domain: "example.com" }, { ifMatch: etag });
// @ts-expect-error an update needs no idempotency key
siteward.websites.update(7, { privacy: 1 }, { idempotencyKey: "order-7" });
// @ts-expect-error a delete needs no idempotency key
siteward.websites.delete(7, { idempotencyKey: "order-7" });
// @ts-expect-error a read has no condition of its own
siteward.websites.get(7, { ifMatch: etag });
// @ts-expect-error the key is a string
siteward.websites.create({ domain: "example.com" }, { idempotencyKey: 7 });
