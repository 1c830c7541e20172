import { generateApiKey } from "../../auth/api-key.ts";
import type { NewApiKey } from "../../storage/interface/storage.ts";

const maxAttempts = 5;

/**
 * Generates a key and passes what is stored of it to `store`. Two keys have the same prefix once in 10^14 times, and a prefix must
 * identify one key. So if the prefix is in use, another key is generated.
 *
 * @returns the key itself, which cannot be read again, and what `store` returned
 */
export async function withFreshKey<Result>(
  store: (fresh: Pick<NewApiKey, "prefix" | "hash">) => Promise<Result | "prefix-in-use">,
): Promise<{ key: string; result: Result }> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { key, prefix, hash } = generateApiKey();
    const result = await store({ prefix, hash });
    if (result !== "prefix-in-use") return { key, result };
  }
  throw new Error("No unused key prefix was found.");
}
