import type { WebsiteChange } from "@siteward/service";
import fc from "fast-check";

/** Random values of each setting of a website. */
export const anySettings = {
  privacy: fc.constantFrom(0, 1, 2),
  email: fc.constantFrom(0, 1),
  exclude_bots: fc.constantFrom(0, 1),
  exclude_params: fc.array(fc.constantFrom("utm_*", "ü", 'quo"te', "a b", "null"), { maxLength: 3 }),
  exclude_ips: fc.array(fc.constantFrom("203.0.113.0/24", "2001:db8::1"), { maxLength: 2 }),
  passwordHash: fc.constantFrom(null, "$argon2id$secret"),
} satisfies { readonly [Field in keyof Required<WebsiteChange>]: fc.Arbitrary<Required<WebsiteChange>[Field]> };
