import type { Command } from "commander";
import type { Io } from "../process/io.ts";

/** Declares a command's arguments, flags and help on `command`, and what it does. */
export type CommandSetup = (command: Command, io: Io) => void;
