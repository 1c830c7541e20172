/** Who makes a change, for the audit trail. Either `apiKey` or `operator` is null. */
export interface ChangeAuthor {
  /** The prefix of an API key. */
  readonly apiKey: string | null;
  /** The name of the operating system's user who runs a command. */
  readonly operator: string | null;
  readonly requestId: string | null;
}
