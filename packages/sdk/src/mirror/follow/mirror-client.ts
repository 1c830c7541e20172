import type { ReceivedPage } from "../state/changes-page.ts";

/** What a mirror uses of a client: a `Siteward` has it. */
export interface MirrorClient {
  /** The URL of the service. */
  readonly baseUrl: string;
  /** The websites of the account. */
  readonly websites: {
    /** Lists websites, or what changed since a cursor. */
    list(query: MirrorQuery, options: MirrorCall): MirrorList;
  };
  /** Returns a copy of the client with other options. */
  withOptions(options: MirrorClientOptions): MirrorClient;
}

/** Which websites a mirror requests. */
export interface MirrorQuery {
  readonly per_page: 100;
  readonly sort_by?: "id";
  readonly sort?: "asc";
  readonly cursor?: string;
  readonly changed_since?: string;
}

/** How a mirror requests them. */
export interface MirrorCall {
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxRetries?: number;
}

/** One page, or all pages from it. */
export interface MirrorList extends PromiseLike<ReceivedPage> {
  pages(): AsyncIterable<ReceivedPage>;
}

/** The options with which a copy of the client sends nothing, but shows what it would send. */
export interface MirrorClientOptions {
  readonly baseUrl: string;
  readonly fetch: (url: string, request: { readonly headers: Readonly<Record<string, string>> }) => Promise<Response>;
  readonly logLevel: "off";
  readonly maxRetries: 0;
  readonly onRequest: () => void;
  readonly onResponse: () => void;
}
