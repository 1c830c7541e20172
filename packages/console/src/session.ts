import { isApiError, Siteward } from "@siteward/sdk";

/** A key that the server has accepted, and what it may do. */
export interface Session {
  readonly client: Siteward;
  /** The name of the account. Empty if the key may not read it. */
  readonly name: string;
  readonly mayWrite: boolean;
}

/** A tab keeps its key until it is closed. */
const item = "siteward-api-key";

export const storedKey = () => sessionStorage.getItem(item);
export const forgetKey = () => sessionStorage.removeItem(item);

/**
 * Checks a key with a request, and keeps it for this tab if the server accepts it.
 *
 * @param onRefused called with the reason when the server refuses the key, now or later
 */
export async function signIn(apiKey: string, onRefused: (reason: string) => void): Promise<Session> {
  const client = new Siteward({
    apiKey,
    // The page is at `console`, below the same path as the API.
    baseUrl: new URL(".", document.baseURI).href,
    maxConcurrent: 6,
    onResponse: ({ status }) => {
      if (status === 401) onRefused("The API key is unknown, revoked or expired. Paste another one.");
    },
  });
  const session = await readRights(client);
  sessionStorage.setItem(item, apiKey);
  return session;
}

async function readRights(client: Siteward): Promise<Session> {
  try {
    const { name, api_key } = await client.account.get();
    return { client, name, mayWrite: api_key.scopes.includes("websites:write") };
  } catch (error) {
    if (!isApiError(error, "insufficient_scope")) throw error;
    return { client, name: "", mayWrite: await mayWrite(client) };
  }
}

/** A key without `account:read` cannot see its scopes. No website has the ID 0, so this changes nothing. */
async function mayWrite(client: Siteward): Promise<boolean> {
  try {
    await client.request({ method: "PUT", path: "/api/v1/websites/0", body: {} });
    return true;
  } catch (error) {
    if (isApiError(error, "insufficient_scope")) return false;
    if (isApiError(error, "not_found")) return true;
    throw error;
  }
}
