/**
 * The help of every command as text, by the words that call it: "websites get", and "" for the program. The build fills
 * this, so that help needs no command to be loaded.
 */
export const helpPages: Readonly<Record<string, string>> = {};
