// A strict program as a user would write it. built.test.ts compiles it and runs it against the built package.
import {
  type Account,
  type CallOptions,
  type ChangeOptions,
  ConnectionError,
  type CreateOptions,
  type CreateWebsite,
  type ErrorCode,
  type Fetch,
  isApiError,
  isWellFormedApiKey,
  type ListWebsites,
  type Problem,
  type Scope,
  Siteward,
  type SitewardOptions,
  type UpdateWebsite,
  type Website,
  type WebsitePage,
  type WithResponse,
} from "@siteward/sdk";

/** Calls every operation and returns one line for each result. */
export async function run(baseUrl: string): Promise<string[]> {
  // The fetch of the platform, and one that calls it.
  const allFetches: readonly Fetch[] = [globalThis.fetch, (url, init) => fetch(url, { ...init })];
  const options: SitewardOptions = { apiKey: "swk_secret", baseUrl, fetch: allFetches[1] };
  const siteward = new Siteward(options);
  const query: ListWebsites = { search: "site", per_page: 10 };
  const input: CreateWebsite = { domain: "site-1.example", exclude_params: ["utm_*"] };
  const change: UpdateWebsite = { privacy: 1 };
  const call: CallOptions = { signal: AbortSignal.timeout(10_000) };

  const account: Account = await siteward.account.get(call);
  const scopes: Scope[] = account.api_key.scopes;
  const once: CreateOptions = { ...call, idempotencyKey: "import-1" };
  const { data: created, response }: WithResponse<Website> = await siteward.websites.create(input, once).withResponse();
  const headers: Headers = response.headers;
  const etag: string | undefined = headers.get("etag") === response.etag ? response.etag : undefined;
  const unchanged: ChangeOptions = { ifMatch: etag };
  const updated: Website = await siteward.websites.update(created.id, change, unchanged);
  const page: WebsitePage = await siteward.websites.list(query);
  const domains: string[] = [];
  for await (const website of siteward.websites.list(query)) domains.push(website.domain);
  const nothing = await siteward.websites.delete(updated.id);
  return [
    scopes.join(),
    created.domain,
    String(etag),
    String(page.hasNextPage()),
    domains.join(),
    String(nothing),
    await describeMissing(siteward),
  ];
}

async function describeMissing(siteward: Siteward): Promise<string> {
  try {
    await siteward.websites.get(404);
    return "no error";
  } catch (error) {
    if (error instanceof ConnectionError) return `sent: ${error.requestSent}`;
    if (!isApiError(error, "not_found")) throw error;
    const code: ErrorCode = error.code;
    const problem: Problem | undefined = error.problem;
    return `${code} ${problem?.detail} ${isWellFormedApiKey("swk_secret")}`;
  }
}
