import { startServerService } from "@siteward/testing/services/server-service";
import { subjectsOfServer } from "./guarantees/subjects.ts";
import { tryGuarantees } from "./guarantees/try-guarantees.ts";

const ofEngine = Object.entries(subjectsOfServer).filter(([, { anyEngine }]) => anyEngine !== true);

tryGuarantees(() => startServerService("postgres"), Object.fromEntries(ofEngine));
