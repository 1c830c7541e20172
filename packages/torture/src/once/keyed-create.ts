import type { HttpClient } from "../client/http-client.ts";
import type { RawAnswer } from "../client/raw-connection.ts";

/** A create with an idempotency key, and all answers that clients got to it. */
export interface KeyedCreate {
  readonly key: string;
  readonly body: { readonly domain: string };
  readonly answers: RawAnswer[];
}

/** Who sends creates. */
export interface Sender {
  readonly client: HttpClient;
  readonly apiKey: string;
}

/** Sends a create once. Returns its answer, or undefined if the connection was lost. */
export async function sendCreate({ client, apiKey }: Sender, create: KeyedCreate): Promise<RawAnswer | undefined> {
  const headers = { "idempotency-key": create.key };
  try {
    const answer = await client.send("POST", "/api/v1/websites", { apiKey, headers, body: create.body });
    create.answers.push(answer);
    return answer;
  } catch {
    return undefined;
  }
}

export function isReplay({ headers }: RawAnswer): boolean {
  return headers.get("idempotency-replayed") === "true";
}
