/** What is loaded when a person opens it, all at once. */
export { ChangeDialog } from "../dialogs/change-dialog.tsx";
export { CompareDialog } from "../dialogs/compare-dialog.tsx";
export { DeleteDialog } from "../dialogs/delete-dialog.tsx";
export { LastRun } from "../parts/run.tsx";
export { AddScreen } from "./add-screen.tsx";
export { EditScreen } from "./edit-screen.tsx";
export { JournalScreen } from "./journal-screen.tsx";
