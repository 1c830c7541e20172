import type { CreateWebsite, Website } from "@siteward/contract/types";
import type { Siteward } from "../siteward.ts";

declare const siteward: Siteward;
declare const website: Website;
declare const domain: string;
declare const row: CreateWebsite;
declare const addresses: readonly string[];
const { websites } = siteward;

// A record can be changed and passed back.
websites.update(website.id, website);
websites.update(website.id, { ...website, email: 1 });
websites.update(website.id, { ...website, exclude_params: null });
websites.update(website.id, { id: website.id, domain: website.domain, email: 1 });
websites.update(7, { id: 7, privacy: 1 });
websites.update(7, {});

// @ts-expect-error a domain cannot be changed
websites.update(7, { domain: "example.com" });
// @ts-expect-error a domain cannot be changed
websites.update(7, { domain, email: 1 });
// @ts-expect-error a domain cannot be changed
websites.update(7, row);
// @ts-expect-error a domain cannot be changed
websites.update(website.id, { ...website, domain: "other.example" });
// @ts-expect-error a domain cannot be changed
website.domain = "other.example";
// @ts-expect-error an ID cannot be changed
website.id = 8;
// @ts-expect-error the service writes this field
website.has_password = true;
// @ts-expect-error a typo
websites.update(7, { privcy: 1 });
// @ts-expect-error no value of privacy
websites.update(7, { ...website, privacy: 3 });
// @ts-expect-error only lists have null
websites.update(7, { privacy: null });

websites.create({ domain, exclude_params: null, exclude_ips: null });
websites.upsert({ domain, exclude_ips: null, privacy: undefined });
websites.upsert(website);

// A list that the program cannot change.
websites.create({ domain, exclude_params: ["utm_*"] as const, exclude_ips: addresses });
websites.upsert({ domain, exclude_ips: addresses });
websites.update(7, { exclude_ips: addresses });
// @ts-expect-error the domain is required
websites.upsert({ email: 1 });
// @ts-expect-error a call that may send two creates has no idempotency key
websites.upsert({ domain }, { idempotencyKey: "row-7" });
// @ts-expect-error only lists have null
websites.create({ domain, email: null });
