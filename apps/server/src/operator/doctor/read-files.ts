import type { DatabaseFile } from "../../storage/interface/inspection.ts";
import type { Patient } from "./check.ts";

/** Reads the files of the database. None if they cannot be read, which another check says. */
export function readFiles(patient: Patient): Promise<readonly DatabaseFile[]> {
  return patient
    .inspection()
    .then((inspection) => inspection.readFiles())
    .catch(() => []);
}
