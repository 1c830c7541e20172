// Generated from the schemas by `pnpm generate`; do not edit.

/** A website and its settings. See [docs/interface.md, section 2](https://github.com/siteward/siteward/blob/main/docs/interface.md#2-resources-and-fields). */
export interface Website {
  /** Counts up from 1 in each account and is never reused, so IDs sort by date created. */
  readonly id: number;
  /** Domain in canonical ASCII form. Unique in the account. */
  readonly domain: string;
  /** Who can see the statistics: 0 = Public, 1 = Private, 2 = Password. */
  privacy: 0 | 1 | 2;
  /** Whether a password is stored. The password itself is write-only. */
  readonly has_password: boolean;
  /** E-mail reports: 0 = Disabled, 1 = Enabled. */
  email: 0 | 1;
  /** Exclude bots from the statistics: 0 = Disabled, 1 = Enabled. */
  exclude_bots: 0 | 1;
  /** URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. They have no whitespace, and no invisible characters such as U+200B or U+202E. */
  exclude_params: string[];
  /** IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. In canonical form. */
  exclude_ips: string[];
  /** When the website was created. RFC 3339, in UTC, with milliseconds. */
  readonly created_at: string;
  /** When the website was last changed. RFC 3339, in UTC, with milliseconds. */
  readonly updated_at: string;
}

/** The fields of a new website. See [docs/interface.md, section 4](https://github.com/siteward/siteward/blob/main/docs/interface.md#4-endpoints). */
export interface CreateWebsiteBody {
  /** Domain of the website: a host name without scheme, path, port or wildcard, and not an IP address. Stored in lowercase ASCII (IDNA). */
  domain: string;
  /**
   * Who can see the statistics: 0 = Public, 1 = Private, 2 = Password.
   * @default 0
   */
  privacy?: 0 | 1 | 2 | undefined;
  /** Required if privacy is 2, and not allowed if it is not. 8 to 256 characters; an empty string counts as not sent. No response contains it. */
  password?: string | undefined;
  /**
   * E-mail reports: 0 = Disabled, 1 = Enabled.
   * @default 0
   */
  email?: 0 | 1 | undefined;
  /**
   * Exclude bots from the statistics: 0 = Disabled, 1 = Enabled.
   * @default 1
   */
  exclude_bots?: 0 | 1 | undefined;
  /**
   * URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. They have no whitespace, and no invisible characters such as U+200B or U+202E. Send an array of strings, or a string with entries separated by commas or line breaks.
   * @default []
   */
  exclude_params?: string | string[] | undefined;
  /**
   * IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. Send an array of strings, or a string with entries separated by commas or line breaks. Stored in canonical form.
   * @default []
   */
  exclude_ips?: string | string[] | undefined;
}

/** The fields of a new website. See [docs/interface.md, section 4](https://github.com/siteward/siteward/blob/main/docs/interface.md#4-endpoints). */
export interface CreateWebsite {
  /** Domain of the website: a host name without scheme, path, port or wildcard, and not an IP address. Stored in lowercase ASCII (IDNA). */
  domain: string;
  /**
   * Who can see the statistics: 0 = Public, 1 = Private, 2 = Password.
   * @default 0
   */
  privacy?: 0 | 1 | 2 | undefined;
  /** Required if privacy is 2, and not allowed if it is not. 8 to 256 characters; an empty string counts as not sent. No response contains it. */
  password?: string | undefined;
  /**
   * E-mail reports: 0 = Disabled, 1 = Enabled.
   * @default 0
   */
  email?: 0 | 1 | undefined;
  /**
   * Exclude bots from the statistics: 0 = Disabled, 1 = Enabled.
   * @default 1
   */
  exclude_bots?: 0 | 1 | undefined;
  /**
   * URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. They have no whitespace, and no invisible characters such as U+200B or U+202E. Send an array of strings, or a string with entries separated by commas or line breaks. Null means the empty list.
   * @default []
   */
  exclude_params?: string | readonly string[] | null | undefined;
  /**
   * IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. Send an array of strings, or a string with entries separated by commas or line breaks. Stored in canonical form. Null means the empty list.
   * @default []
   */
  exclude_ips?: string | readonly string[] | null | undefined;
}

/** The fields to change. Omitted fields stay as they are. See [docs/interface.md, section 4](https://github.com/siteward/siteward/blob/main/docs/interface.md#4-endpoints). */
export interface UpdateWebsiteBody {
  /** Who can see the statistics: 0 = Public, 1 = Private, 2 = Password. */
  privacy?: 0 | 1 | 2 | undefined;
  /** Required if the resulting privacy is 2 and no password is stored. Not allowed if the resulting privacy is not 2. 8 to 256 characters; an empty string counts as not sent. No response contains it. */
  password?: string | undefined;
  /** E-mail reports: 0 = Disabled, 1 = Enabled. */
  email?: 0 | 1 | undefined;
  /** Exclude bots from the statistics: 0 = Disabled, 1 = Enabled. */
  exclude_bots?: 0 | 1 | undefined;
  /** URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. They have no whitespace, and no invisible characters such as U+200B or U+202E. Send an array of strings, or a string with entries separated by commas or line breaks. An empty value clears the list. */
  exclude_params?: string | string[] | undefined;
  /** IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. Send an array of strings, or a string with entries separated by commas or line breaks. Stored in canonical form. An empty value clears the list. */
  exclude_ips?: string | string[] | undefined;
}

/** The fields to change. Omitted fields stay as they are. See [docs/interface.md, section 4](https://github.com/siteward/siteward/blob/main/docs/interface.md#4-endpoints). */
export interface UpdateWebsite {
  /** Who can see the statistics: 0 = Public, 1 = Private, 2 = Password. */
  privacy?: 0 | 1 | 2 | undefined;
  /** Required if the resulting privacy is 2 and no password is stored. Not allowed if the resulting privacy is not 2. 8 to 256 characters; an empty string counts as not sent. No response contains it. */
  password?: string | undefined;
  /** E-mail reports: 0 = Disabled, 1 = Enabled. */
  email?: 0 | 1 | undefined;
  /** Exclude bots from the statistics: 0 = Disabled, 1 = Enabled. */
  exclude_bots?: 0 | 1 | undefined;
  /** URL parameters to exclude: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. They have no whitespace, and no invisible characters such as U+200B or U+202E. Send an array of strings, or a string with entries separated by commas or line breaks. An empty value clears the list. Null means the empty list. */
  exclude_params?: string | readonly string[] | null | undefined;
  /** IP addresses to exclude: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. Send an array of strings, or a string with entries separated by commas or line breaks. Stored in canonical form. An empty value clears the list. Null means the empty list. */
  exclude_ips?: string | readonly string[] | null | undefined;
}

/** Which websites to list, in which order, and how many on a page. */
export interface ListWebsites {
  /** Part of the domain, case-insensitive. A term in Unicode, such as `münch`, finds a part of the Unicode form. `%` and `_` are ordinary characters. An empty term counts as not sent. */
  search?: string | undefined;
  /**
   * The field to search.
   * @default "domain"
   */
  search_by?: "domain" | undefined;
  /**
   * The field to sort by: `id` sorts by date created, `domain` by the bytes of the ASCII domain.
   * @default "id"
   */
  sort_by?: "id" | "domain" | undefined;
  /**
   * The sort direction.
   * @default "desc"
   */
  sort?: "desc" | "asc" | undefined;
  /**
   * Number of records on a page.
   * @default 10
   */
  per_page?: 10 | 25 | 50 | 100 | undefined;
  /** Page number; the default is 1. 0 and an empty value mean 1. Cannot be combined with `cursor`. `(page - 1) × per_page` is at most 100000; to read deeper, use `cursor`. */
  page?: number | undefined;
  /** Where to continue: `meta.next_cursor` or `meta.prev_cursor` of an earlier page of the same list. Cannot be combined with `page`. */
  cursor?: string | undefined;
  /** Returns only what changed since then: `meta.changes_cursor` of an earlier page. `data` has the websites that were created or updated, in order of change, and `meta.deleted_ids` the IDs of those that were deleted. Cannot be combined with `search`, `sort_by`, `sort` or `page`. */
  changed_since?: string | undefined;
  /**
   * Whether the page has the entity tags of its records: 0 = No, 1 = Yes, in `meta.entity_tags`.
   * @default 0
   */
  entity_tags?: 0 | 1 | undefined;
}

/** URLs of the first, the previous and the next page. */
export interface WebsitePageLinks {
  /** URL of the first page. */
  first: string;
  /** URL of the previous page, by cursor; null on the first page. */
  prev: string | null;
  /** URL of the next page, by cursor; null on the last page. */
  next: string | null;
}

/** The size and the number of the page, the number of matches, and the cursors of its neighbors. */
export interface WebsitePageMeta {
  /** Number of records on a full page. */
  per_page: 10 | 25 | 50 | 100;
  /** Number of matching records. Always exact without a search; with a search, exact up to 10000. With `changed_since`, of all websites of the account. */
  total: number;
  /** `eq`: `total` is exact. `gte`: at least `total` records match. */
  total_relation: "eq" | "gte";
  /** The page number; null if the request has a cursor. */
  current_page: number | null;
  /** The number of the last page; null if the request has a cursor or `total` is not exact. */
  last_page: number | null;
  /** Cursor of the next page; null on the last page. */
  next_cursor: string | null;
  /** Cursor of the previous page; null on the first page. */
  prev_cursor: string | null;
  /** Where the changes after this page begin: send it as `changed_since`. On a page of a list, it is never after the records of the page, so nothing that changes since is missed. */
  changes_cursor: string;
  /** The IDs of the websites that were deleted. Present if the request has `changed_since`. */
  deleted_ids?: number[] | undefined;
  /** The entity tags of the records, in the order of `data`, for `If-Match`. Present if the request has `entity_tags` 1. */
  entity_tags?: string[] | undefined;
}

/** One page of a list of websites. */
export interface WebsitePage {
  /** The records of this page, in the requested order. */
  data: Website[];
  /** URLs of the first, the previous and the next page. */
  links: WebsitePageLinks;
  /** The size and the number of the page, the number of matches, and the cursors of its neighbors. */
  meta: WebsitePageMeta;
}

/** How many websites the account has, and how many it can have. */
export interface AccountWebsites {
  /** Number of websites in the account. */
  count: number;
  /** Largest number of websites in the account; null means no limit. */
  limit: number | null;
}

/** The API key that sent the request. */
export interface AccountApiKey {
  /** Name of the API key of this request. */
  name: string;
  /** First characters of the API key, to identify it. */
  prefix: string;
  /** The scopes of the API key. */
  scopes: ("websites:read" | "websites:write" | "account:read")[];
  /** When the API key was created. RFC 3339, in UTC, with milliseconds. */
  created_at: string;
  /** When the API key expires; null means never. RFC 3339, in UTC, with milliseconds. */
  expires_at: string | null;
  /** When the API key was last used, accurate to a minute; null means never before. RFC 3339, in UTC, with milliseconds. */
  last_used_at: string | null;
}

/** The account that the API key belongs to. See [docs/interface.md, section 2](https://github.com/siteward/siteward/blob/main/docs/interface.md#2-resources-and-fields). */
export interface Account {
  /** Identifier of the account. */
  id: number;
  /** Name of the account. */
  name: string;
  /** E-mail address of the account. */
  email: string;
  /** How many websites the account has, and how many it can have. */
  websites: AccountWebsites;
  /** When the account was created. RFC 3339, in UTC, with milliseconds. */
  created_at: string;
  /** When the account was last changed. RFC 3339, in UTC, with milliseconds. */
  updated_at: string;
  /** The API key that sent the request. */
  api_key: AccountApiKey;
}

/** Problem details (RFC 9457). */
export interface Problem {
  /** URL of the documentation page of `code`. */
  type: string;
  /** Short summary, the same for every problem with this code. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What went wrong this time, and what to do instead. */
  detail: string;
  /** Stable name of the error, from a closed set. */
  code:
    | "malformed_request"
    | "unauthenticated"
    | "insufficient_scope"
    | "website_limit_reached"
    | "not_found"
    | "method_not_allowed"
    | "domain_taken"
    | "idempotency_in_progress"
    | "cursor_expired"
    | "precondition_failed"
    | "body_too_large"
    | "unsupported_media_type"
    | "validation_failed"
    | "idempotency_key_reused"
    | "rate_limited"
    | "change_limit_reached"
    | "internal"
    | "unavailable";
  /** Every invalid field or parameter and its messages. Present with `validation_failed`. */
  errors?: Record<string, string[]> | undefined;
  /** Identifies the request in the server's log. Also sent as `X-Request-Id`. */
  request_id: string;
  /** The scope that is missing. Present with `insufficient_scope`. */
  required_scope?: "websites:read" | "websites:write" | "account:read" | undefined;
  /** The website that has the domain. Present with `domain_taken`. */
  website_id?: number | undefined;
  /** The account's limit. Present with `website_limit_reached`. */
  limit?: number | undefined;
  /** Present with `unavailable` if the database failed while it committed the change, so the change may be stored. Retry the request, a POST only with its idempotency key. If it is absent, nothing was changed. */
  outcome?: "unknown" | undefined;
}
