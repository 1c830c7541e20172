// Generated from the schemas by `pnpm generate`; not to be edited.

/** A website whose statistics are kept. */
export interface Website {
  /** Counted per account from 1 and never used twice, so that id order is creation order. */
  id: number;
  /** Canonical ASCII form; unique in its account. */
  domain: string;
  /** Who may see the statistics: 0 = Public, 1 = Private, 2 = Password (interface, sections 2 and 3). */
  privacy: 0 | 1 | 2;
  /** Whether a password is stored. The password itself is write-only. */
  has_password: boolean;
  /** E-mail reports: 0 = Disabled, 1 = Enabled (interface, section 2). */
  email: 0 | 1;
  /** Leave bots out of the statistics: 0 = Disabled, 1 = Enabled (interface, section 2). */
  exclude_bots: 0 | 1;
  /** URL parameters to leave out: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. */
  exclude_params: string[];
  /** IP addresses to leave out: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. In canonical form. */
  exclude_ips: string[];
  /** When it was created. RFC 3339, in UTC, with milliseconds. */
  created_at: string;
  /** When it was last changed. RFC 3339, in UTC, with milliseconds. */
  updated_at: string;
}

/** The fields of a new website. */
export interface CreateWebsite {
  /** The domain of the website: a host name, stored in lower-case ASCII (IDNA). No scheme, path, port, wildcard or IP address. */
  domain: string;
  /**
   * Who may see the statistics: 0 = Public, 1 = Private, 2 = Password (interface, sections 2 and 3).
   * @default 0
   */
  privacy?: 0 | 1 | 2 | undefined;
  /** Needed when the resulting privacy is 2 and none is stored; refused when it is not 2. 8 to 256 characters; an empty one counts as not sent. Never part of an answer. */
  password?: string | undefined;
  /**
   * E-mail reports: 0 = Disabled, 1 = Enabled (interface, section 2).
   * @default 0
   */
  email?: 0 | 1 | undefined;
  /**
   * Leave bots out of the statistics: 0 = Disabled, 1 = Enabled (interface, section 2).
   * @default 1
   */
  exclude_bots?: 0 | 1 | undefined;
  /**
   * URL parameters to leave out: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. An array, or one text with an entry per line or between commas. An empty value clears the list.
   * @default []
   */
  exclude_params?: string | string[] | undefined;
  /**
   * IP addresses to leave out: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. An array, or one text with an entry per line or between commas. An empty value clears the list. Stored in canonical form.
   * @default []
   */
  exclude_ips?: string | string[] | undefined;
}

/** The fields to change. A field that is not sent stays as it is. */
export interface UpdateWebsite {
  /** Who may see the statistics: 0 = Public, 1 = Private, 2 = Password (interface, sections 2 and 3). */
  privacy?: 0 | 1 | 2 | undefined;
  /** Needed when the resulting privacy is 2 and none is stored; refused when it is not 2. 8 to 256 characters; an empty one counts as not sent. Never part of an answer. */
  password?: string | undefined;
  /** E-mail reports: 0 = Disabled, 1 = Enabled (interface, section 2). */
  email?: 0 | 1 | undefined;
  /** Leave bots out of the statistics: 0 = Disabled, 1 = Enabled (interface, section 2). */
  exclude_bots?: 0 | 1 | undefined;
  /** URL parameters to leave out: up to 100 names of 1 to 128 characters, or prefixes ending in `*` such as `utm_*`. An array, or one text with an entry per line or between commas. An empty value clears the list. */
  exclude_params?: string | string[] | undefined;
  /** IP addresses to leave out: up to 500 IPv4 or IPv6 addresses, networks in CIDR notation, or IPv4 wildcards such as `203.0.113.*`. An array, or one text with an entry per line or between commas. An empty value clears the list. Stored in canonical form. */
  exclude_ips?: string | string[] | undefined;
}

/** Which websites to list, in which order and how many at once. */
export interface ListWebsitesQuery {
  /** Substring of the domain, in any case. `%` and `_` are ordinary characters. An empty term counts as none. */
  search?: string | undefined;
  /**
   * The field that is searched.
   * @default "domain"
   */
  search_by?: "domain" | undefined;
  /**
   * The sort key: `id` is the date created, `domain` the byte order of the ASCII domain.
   * @default "id"
   */
  sort_by?: "id" | "domain" | undefined;
  /**
   * The direction.
   * @default "desc"
   */
  sort?: "desc" | "asc" | undefined;
  /**
   * Records on a page.
   * @default 10
   */
  per_page?: 10 | 25 | 50 | 100 | undefined;
  /** Page number, from 1 (the default). Not together with `cursor`. It may skip up to 100000 records. */
  page?: number | undefined;
  /** Where to go on: `meta.next_cursor` or `meta.prev_cursor` of an earlier page of the same list. Not together with `page`. */
  cursor?: string | undefined;
}

/** One page of a list of websites. */
export interface WebsitePage {
  /** The records of this page, in the order asked for. */
  data: Website[];
  links: {
    /** URL of the first page. */
    first: string;
    /** URL of the page before, by cursor; null on the first. */
    prev: string | null;
    /** URL of the page after, by cursor; null on the last. */
    next: string | null;
  };
  meta: {
    /** Records on a full page. */
    per_page: 10 | 25 | 50 | 100;
    /** How many records match. Exact without a search, and with one up to 10000. */
    total: number;
    /** `eq`: `total` is exact. `gte`: there are at least that many. */
    total_relation: "eq" | "gte";
    /** The page number; null under a cursor. */
    current_page: number | null;
    /** The number of the last page; null under a cursor and where `total` is not exact. */
    last_page: number | null;
    /** Position after this page; null on the last. */
    next_cursor: string | null;
    /** Position before this page; null on the first. */
    prev_cursor: string | null;
  };
}

/** The account that the API key belongs to. */
export interface Account {
  /** Identifier of the account. */
  id: number;
  /** Name of the account. */
  name: string;
  /** E-mail address of the account. */
  email: string;
  websites: {
    /** How many websites the account holds. */
    count: number;
    /** How many it may hold; null means no limit. */
    limit: number | null;
  };
  /** When it was created. RFC 3339, in UTC, with milliseconds. */
  created_at: string;
  /** When it was last changed. RFC 3339, in UTC, with milliseconds. */
  updated_at: string;
  api_key: {
    /** Name of the key that made this request. */
    name: string;
    /** Its first characters, by which it can be told from others. */
    prefix: string;
    /** What it may do. */
    scopes: ("websites:read" | "websites:write" | "account:read")[];
    /** When it was made. RFC 3339, in UTC, with milliseconds. */
    created_at: string;
    /** When it stops; null means never. RFC 3339, in UTC, with milliseconds. */
    expires_at: string | null;
    /** When it was last used, to within a minute; null means not before. RFC 3339, in UTC, with milliseconds. */
    last_used_at: string | null;
  };
}

/** Problem details (RFC 9457). */
export interface Problem {
  /** URL of the documentation page of `code`. */
  type: string;
  /** Short summary, the same for every problem of this code. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** What went wrong this time, and what to do instead. */
  detail: string;
  /** Stable name of the kind of error; a closed set. */
  code:
    | "malformed_request"
    | "unauthenticated"
    | "insufficient_scope"
    | "website_limit_reached"
    | "not_found"
    | "method_not_allowed"
    | "domain_taken"
    | "body_too_large"
    | "unsupported_media_type"
    | "validation_failed"
    | "internal"
    | "unavailable";
  /** Every refused field or parameter with its messages. Present with `validation_failed`. */
  errors?: Record<string, string[]> | undefined;
  /** Identifies the request in the server's log; also in `X-Request-Id`. */
  request_id: string;
  /** The scope that is missing. Present with `insufficient_scope`. */
  required_scope?: "websites:read" | "websites:write" | "account:read" | undefined;
  /** The website that has the domain. Present with `domain_taken`. */
  website_id?: number | undefined;
  /** The account's limit. Present with `website_limit_reached`. */
  limit?: number | undefined;
  /** The change may have been kept: read before sending it again. Present with `unavailable` if the database failed while it committed the change; without it nothing was kept. */
  outcome?: "unknown" | undefined;
}
