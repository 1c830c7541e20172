import type { RawAnswer } from "../client/raw-connection.ts";
import type { RequestParts } from "../client/write-request.ts";
import type { Random } from "../random.ts";
import type { AccountModel } from "./account-model.ts";

/** One request of an account, and what its answer must be. */
export interface Operation extends RequestParts {
  /** Says what is wrong with the answer, and brings the model up to date. Called once. */
  judge(answer: RawAnswer): string[];
}

/** The account that sends requests. */
export interface Subject {
  readonly random: Random;
  readonly model: AccountModel;
  readonly apiKey: string;
  /** May only read websites. */
  readonly readingKey: string;
  /** The models of all accounts, for ids and cursors of others. */
  readonly everyone: readonly AccountModel[];
}
