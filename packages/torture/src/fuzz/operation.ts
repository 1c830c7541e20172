import type { RawAnswer } from "../client/raw-connection.ts";
import type { RequestParts } from "../client/write-request.ts";
import type { Random } from "../random.ts";
import type { AccountModel } from "./account-model.ts";

/** One request of an account, and what its answer must be. */
export interface Operation extends RequestParts {
  /** Reports what is wrong with the answer, and updates the model. Called once. */
  judge(answer: RawAnswer): string[];
}

/** The account that sends requests. */
export interface Subject {
  readonly random: Random;
  readonly model: AccountModel;
  readonly apiKey: string;
  /** A key that can only read websites. */
  readonly readingKey: string;
  /** The models of all accounts, for ids and cursors of other accounts. */
  readonly everyone: readonly AccountModel[];
}
