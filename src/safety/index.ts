export { isFolded, isShort, textLength, unshown } from "./hidden-text/folded.ts";
export { withoutInvisible } from "./hidden-text/invisible-characters.ts";
export {
  findHidden,
  holdsFormula,
  removeInvisibleCharacters,
  takeOut,
  wholeNames,
} from "./hidden-text/remove-hidden.ts";
export { findInjections, findInjectionsInText, hiddenTextsOf, wordsBeside } from "./injection/find-injections.ts";
export type { InjectionPlace } from "./injection/match-rules.ts";
export { isSecretName, maskBody, masked, maskJson, maskUrl } from "./masking/mask-names.ts";
export { phoneTestFor } from "./redaction/phone-plans.ts";
export { type RedactedKind, type Redaction, redactText } from "./redaction/redact-text.ts";
export { isBlocked, type PageState } from "./verdict/page-state.ts";
export {
  type PageResponse,
  type PageVerdict,
  verdictOfPage,
  verdictOfStatus,
  verdictOfText,
} from "./verdict/page-verdict.ts";
