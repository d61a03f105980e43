// All concepts of fields; of those that share a name, the first one is meant.
import type { Concept } from "./concept.ts";
import { recipeConcepts } from "./lexicon-recipes.ts";
import { thingConcepts } from "./lexicon-things.ts";
import { workConcepts } from "./lexicon-works.ts";

export const concepts: readonly Concept[] = [...thingConcepts, ...workConcepts, ...recipeConcepts];
