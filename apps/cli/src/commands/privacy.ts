import type { Website } from "@siteward/sdk";

/** What people call the values of `privacy` (docs/interface.md, section 3). */
export const privacyNames = { public: 0, private: 1, password: 2 } as const satisfies Record<
  string,
  Website["privacy"]
>;
