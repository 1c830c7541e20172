import { type CommandEntry, type OperationCommands, operationCommands } from "./registry.ts";

const { get, list, create, update } = operationCommands.websites;

// @ts-expect-error an operation of a resource without a command does not compile
export const withoutDelete: OperationCommands = { ...operationCommands, websites: { get, list, create, update } };

// @ts-expect-error a resource without commands does not compile
export const withoutAccount: OperationCommands = { websites: operationCommands.websites };

// @ts-expect-error a command in a group without a summary does not compile
export const inUnknownGroup: CommandEntry = { ...operationCommands.account.get, words: ["keys", "list"] };
