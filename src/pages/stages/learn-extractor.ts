import type { Answered } from "./answer-requests.ts";
import type { Parsed } from "./parse-content.ts";

const nothing = {};

/** Teaches the host's extractor from the data of this page, where it is this page's turn. */
export function learnExtractor({ learning, content, answered }: Parsed & Answered): object | Promise<object> {
  if (!learning || !content) return nothing;
  return learning.learn(content.forContent, answered.document.json).then(() => nothing);
}
