// All concepts of fields; of those that share a name, the first one is meant.
import type { Concept } from "./concept.ts";
import { recipeConcepts } from "./recipes.ts";
import { thingConcepts } from "./things.ts";
import { workConcepts } from "./works.ts";

export const concepts: readonly Concept[] = [...thingConcepts, ...workConcepts, ...recipeConcepts];
