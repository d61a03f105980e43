// What rankers say of candidates on sites that they have not seen, and how much of that can be believed.
import { readRanker } from "../../dist/extraction/ranking/ranker.js";
import { calibrate } from "../train-content/calibration.mjs";
import { rightOf, takenOf } from "./figures.mjs";
import { train } from "./training.mjs";

/** Candidate -> how likely it is right by a ranker of the other groups' sites. */
export function rateUnseen(questions) {
  const unseen = new Map();
  for (const group of new Set(questions.map((question) => question.group))) {
    const ranker = readRanker(train(questions.filter((question) => question.group !== group)));
    for (const { candidates } of questions.filter((question) => question.group === group))
      for (const one of candidates) unseen.set(one, ranker.probability(one.features));
  }
  return unseen;
}

/** Steps of confidence by the values that would be given. */
export function stepsOf(questions, unseen) {
  return calibrate(
    questions.flatMap((question) => {
      const taken = takenOf(question, (one) => unseen.get(one));
      return taken ? [[taken.confidence, rightOf(taken)]] : [];
    }),
  );
}
