import type { ChangeOptions } from "@siteward/sdk";
import { InvalidArgumentError } from "commander";
import type { OptionValues } from "./field-flags.ts";
import { flag } from "./flag.ts";

/** The flag for the idempotency key of a create. */
export const idempotencyKeyFlag = flag(
  "--idempotency-key <key>",
  "make it safe to repeat the command for 24 hours; a different key for each website",
  (text) => {
    if (/^[\x21-\x7e]{1,255}$/.test(text)) return text;
    throw new InvalidArgumentError("Use 1 to 255 visible ASCII characters, such as a UUID.");
  },
);

/** The flag for the condition of a change. */
export const ifMatchFlag = flag("--if-match <tag>", "only if this is still the entity tag of the website", parseTag);

/** Returns the condition of a change as an option of the SDK. Without the flag there is none: the SDK refuses undefined. */
export function readCondition(values: OptionValues): ChangeOptions {
  const ifMatch = ifMatchFlag.read(values);
  return ifMatch === undefined ? {} : { ifMatch };
}

/** Parses an entity tag. Its quotes can be missing, because a shell removes them. */
function parseTag(text: string): string {
  if (/^(\*|(W\/)?"[\x21\x23-\x7e]*")$/.test(text)) return text;
  if (/^[\x21\x23-\x7e]+$/.test(text)) return `"${text}"`;
  throw new InvalidArgumentError("Use one entity tag, as `siteward websites get <id> --etag` shows it.");
}
