/** What the process of the keyring is sent. */
export type KeyringRequest =
  | { readonly operation: "read" | "remove"; readonly entry: string }
  | { readonly operation: "write"; readonly entry: string; readonly apiKey: string };

/** What it answers: the API key if one was read, or why the keyring cannot be used. */
export type KeyringAnswer =
  | { readonly apiKey: string | null }
  /** `problem` is a clause without a period. */
  | { readonly problem: string };
