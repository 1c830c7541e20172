import type { routes } from "../routes.ts";
import type { Account } from "../schemas/account.ts";
import type { ListWebsites, WebsitePage } from "../schemas/page.ts";
import { type CreateWebsite, createWebsiteBody, type UpdateWebsite, type Website } from "../schemas/website.ts";

const createWebsite: CreateWebsite = {
  domain: "example.com",
  privacy: 2,
  password: "correct horse battery staple",
  exclude_params: ["utm_*", "gclid"],
  exclude_ips: ["203.0.113.7", "2001:db8::/32"],
};

/** The record of the website that the example creates, with the defaults of the schema. */
const { domain, privacy, password: _, ...settings } = createWebsiteBody.parse(createWebsite);
const website: Website = {
  id: 7,
  domain,
  privacy,
  has_password: true,
  ...settings,
  created_at: "2026-01-15T09:30:00.000Z",
  updated_at: "2026-01-15T09:30:00.000Z",
};

const websitePage: WebsitePage = {
  data: [website],
  links: { first: "http://127.0.0.1:3000/api/v1/websites", prev: null, next: null },
  meta: {
    per_page: 10,
    total: 1,
    total_relation: "eq",
    current_page: 1,
    last_page: 1,
    next_cursor: null,
    prev_cursor: null,
    changes_cursor: "WyJjaGFuZ2VzIiwxLDEsMSwxNzY4NDY5NDAwMDAwXQ",
  },
};

const account: Account = {
  id: 1,
  name: "Example Ltd",
  email: "owner@example.com",
  websites: { count: 1, limit: null },
  created_at: "2026-01-15T09:00:00.000Z",
  updated_at: "2026-01-15T09:00:00.000Z",
  api_key: {
    name: "deploy",
    prefix: "swk_8fJq2LmZ",
    scopes: ["websites:read", "websites:write", "account:read"],
    created_at: "2026-01-15T09:00:00.000Z",
    expires_at: null,
    last_used_at: "2026-01-15T09:30:00.000Z",
  },
};

/** As it is pasted, it changes nothing: whatever the value, some website has another one. */
const updateWebsite: { readonly [Field in keyof UpdateWebsite]: "…" } = { exclude_bots: "…" };

/** A command line would show the password to other users of the machine, and the privacy needs it. */
const { password: _password, privacy: _privacy, ...createWithoutPassword } = createWebsite;

/** What the example of a request sends. */
export interface RequestExample {
  readonly id?: number;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** The example of each operation's request, by resource and name. `request-forms.ts` writes it in each form. */
export const requestExamples = {
  websites: {
    list: { query: { search: "example", sort_by: "domain", sort: "asc" } satisfies ListWebsites },
    get: { id: website.id },
    create: { body: createWithoutPassword },
    update: { id: website.id, body: updateWebsite },
    delete: { id: website.id },
  },
  account: { get: {} },
} satisfies { [Resource in keyof typeof routes]: Record<keyof (typeof routes)[Resource], RequestExample> };

/** Examples of JSON bodies, by the name of their schema. */
export const jsonExamples: Readonly<Record<string, object>> = {
  WebsiteEnvelope: { data: website },
  WebsitePage: websitePage,
  AccountEnvelope: { data: account },
  CreateWebsite: createWebsite,
  // What viewers of the document fill in.
  UpdateWebsite: {},
};
