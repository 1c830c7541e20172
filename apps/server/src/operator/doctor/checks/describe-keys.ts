import type { FoundKeys } from "../../../storage/interface/inspection.ts";

/** Such as "1 API key was" or "3 API keys were". */
export function describeKeys({ count, prefix }: FoundKeys, [one, many]: readonly [string, string]): string {
  return count === 1 ? `API key ${prefix} ${one}` : `${count} API keys ${many}, such as ${prefix}`;
}
