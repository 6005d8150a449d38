import { fromSource } from "./programs.ts";
import { scenarios } from "./scenarios.ts";

scenarios(() => fromSource);
