import type { Command, Option } from "commander";
import { OptionWithValues } from "../flags/flag.ts";
import type { HelpItem, HelpPage } from "./help-page.ts";

/**
 * Returns the help of a command.
 *
 * @param notes paragraphs, with an empty line between them. One that starts with the line `Examples:` contains examples.
 */
export function describeCommand(command: Command, notes: string): HelpPage {
  const help = command.createHelp();
  const blocks = notes.trim().split(/\n{2,}/);
  return {
    usage: help.commandUsage(command),
    summary: asSentence(help.commandDescription(command)),
    arguments: help
      .visibleArguments(command)
      .map((argument) => item(help.argumentTerm(argument), help.argumentDescription(argument), argument.argChoices)),
    options: help
      .visibleOptions(command)
      .map((option) => item(help.optionTerm(option), help.optionDescription(option), valuesOf(option))),
    globalOptions: help
      .visibleGlobalOptions(command)
      .map((option) => item(help.optionTerm(option), help.optionDescription(option), valuesOf(option))),
    // Not the term of commander, which shows the arguments of a command only once its file is loaded.
    commands: help.visibleCommands(command).map((child) => item(child.name(), child.description())),
    paragraphs: blocks.filter((block) => block !== "" && !isExamples(block)).map(joinLines),
    examples: blocks.filter(isExamples).flatMap((block) =>
      block
        .split("\n")
        .slice(1)
        .map((line) => line.trim()),
    ),
  };
}

function item(term: string, description: string, choices?: readonly string[]): HelpItem {
  return { term, description, ...(choices && { choices }) };
}

function valuesOf(option: Option): readonly string[] | undefined {
  return option instanceof OptionWithValues ? option.values : option.argChoices;
}

function isExamples(block: string): boolean {
  return block.startsWith("Examples:\n");
}

/** Joins the lines of a paragraph, which is wrapped again when it is printed. Indented lines stay. */
function joinLines(block: string): string {
  return block.replaceAll(/(?<=\S)\n(?=\S)/g, " ");
}

function asSentence(text: string): string {
  const capitalized = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return capitalized.endsWith(".") ? capitalized : `${capitalized}.`;
}
