import type { Website } from "@siteward/contract/types";

/** Returns a website as the service sends it. */
export function website(id: number, fields: Partial<Website> = {}): Website {
  return {
    id,
    domain: `site-${id}.example`,
    privacy: 0,
    has_password: false,
    email: 0,
    exclude_bots: 1,
    exclude_params: [],
    exclude_ips: [],
    created_at: "2026-11-20T10:00:00.000Z",
    updated_at: "2026-11-20T10:00:00.000Z",
    ...fields,
  };
}
