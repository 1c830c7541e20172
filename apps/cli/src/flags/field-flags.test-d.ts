import type { Website } from "@siteward/sdk";
import type { FieldFlag, FieldFlags } from "./field-flags.ts";
import { choiceFlag, presenceFlag, textFlag } from "./flag.ts";

interface Request {
  readonly domain: string;
  readonly page?: number | undefined;
}

const domain = textFlag("--domain <domain>", "");
export const complete: FieldFlags<Request> = { domain, page: { reason: "always the first" } };

// @ts-expect-error a field without a flag does not compile, even if the request may omit it
export const withoutField: FieldFlags<Request> = { domain };

// @ts-expect-error a field without a flag and without a reason does not compile
export const withoutReason: FieldFlags<Request> = { domain, page: {} };

// @ts-expect-error a flag for a field that the request does not have does not compile
export const unknownField: FieldFlags<Request> = { ...complete, search: domain };

// @ts-expect-error a flag whose value the field does not take does not compile
export const wrongValue: FieldFlags<Request> = { domain, page: presenceFlag("--page", "") };

// @ts-expect-error an entry without an option does not compile
export const withoutOption: FieldFlag<string> = { options: [], read: () => undefined };

// @ts-expect-error a choice that is missing does not compile
export const withoutChoice = choiceFlag<Website["privacy"]>("--privacy <level>", "", { 0: 0, 1: 1 });
