import { databaseBusy } from "@siteward/service";

/** How often a change is decided again because somebody else changed the record in between. */
const maxAttempts = 100;

/**
 * Decides a change on the newest record and makes it, again and again until nobody changed the record in between.
 *
 * @param attempt returns `"conflict"` if somebody did, and nothing was changed
 * @throws AppError `unavailable` if the record changes too often
 */
export async function untilNoConflict<Result>(
  record: string,
  attempt: () => Promise<Result | "conflict">,
): Promise<Result> {
  for (let count = 1; count <= maxAttempts; count += 1) {
    const result = await attempt();
    if (result !== "conflict") return result;
  }
  throw databaseBusy(new Error(`${record} changed too often.`));
}
