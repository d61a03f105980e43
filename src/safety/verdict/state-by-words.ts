// Pages that no table knows: what they say, how little else there is, and what the server answered.

import type { PageGlance } from "./page-look.ts";
import type { PageState } from "./page-state.ts";
import {
  aboutDomain,
  ageGate,
  challenged,
  consentWall,
  geoBlocked,
  keptDomain,
  loginRequired,
  loginTitle,
  maintenance,
  needsScripts,
  noSite,
  notFound,
  paywall,
  refusedWords,
  tooManyRequests,
} from "./phrases.ts";
import { headerText, type PageEvidence } from "./sign.ts";
import { stateOfStatus } from "./status-states.ts";

/** Letters beside menus and links that a page of this state has at most when its server says that all is well. */
const mostLetters = {
  wall: 1200,
  gate: 700,
  notice: 600,
  notFound: 900,
  login: 900,
  paywall: 1500,
  parked: 1000,
  shell: 40,
};
/** A page with more links leads somewhere: it is part of a site. */
const manyLinks = 40;
/** What stands first on a page is what it is about. */
const firstLetters = 260;

/** Statuses by which servers and firewalls refuse. */
const refusals = new Set([403, 405, 406, 444, 999]);
const loginPath =
  /log-?in|log-?on|sign-?in|sign-?on|sign-?up|\bsso\b|\bauth|oauth|saml|session|account|register|passw|\buser\b|members?\b|anmeld|connexion|inlog|entrar|acceso|portal|admin|\bcas\b|\bidp\b/;
const captchaSource = /recaptcha|hcaptcha|turnstile|captcha|geetest|arkoselabs|funcaptcha|friendlychallenge/;
/** A part of the title that says nothing else. */
const titleNotFound =
  /(?:^|[-–—|:·] ?)(?:404|(?:page |error )?not found|nicht gefunden|introuvable|no encontrad[ao])(?: ?[-–—|:·]|$)/;
/** In programs of pages that ask search engines to pass by. */
const testCode =
  /challenge|captcha|fingerprint|\bbot|eval\(|fromCharCode|unescape\(|\\x[0-9a-f]{2}|_0x[0-9a-f]{4}|document\.cookie ?=/i;
const rootNames = /#(?:root|app|__next|__nuxt|___gatsby|main|application|mount|content|page|wrapper)\b/;
const appSource =
  /(?:main|app|bundle|runtime|vendor|chunk|index|polyfill|client|package|jquery|react|angular|vue)[\w.-]*[./]/;
const testSource = /challenge|captcha|botdetect|fingerprint|verify|incident|interstitial/;
const cookieTest = /document\.cookie ?= ?[\s\S]{0,3000}(?:location|reload|submit\(\))/;

export function stateByWords(evidence: PageEvidence): PageState {
  return evidence.status >= 400 ? stateOfError(evidence) : stateOfSuccess(evidence);
}

/** The status says that something is wrong; the words say what. */
function stateOfError(evidence: PageEvidence): PageState {
  const { look, seen, status } = evidence;
  const said = `${seen} ${look.noscript}`;
  if (status === 401 || status === 407) return "login_required";
  if (geoBlocked.test(said)) return "geo_blocked";
  if (status === 429) return isChallenge(evidence) ? "challenge" : "rate_limited";
  if (status === 404 || status === 410) return "not_found";
  if (status !== 403 && tooManyRequests.test(look.title + look.headings)) return "rate_limited";
  if (isLogin(evidence)) return "login_required";
  if (isChallenge(evidence)) return "challenge";
  if (refusals.has(status)) return stateOfRefusal(evidence);
  if (status >= 500) {
    if (maintenance.test(said)) return "maintenance";
    if (status !== 503) return "host_error";
    if (refusedWords.test(look.text)) return "blocked";
    return headerText(evidence.headers, "retry-after") === "" ? "host_error" : "rate_limited";
  }
  return status >= 440 ? stateOfRefusal(evidence) : stateOfStatus(status);
}

/** Some servers refuse and send the page all the same. */
function stateOfRefusal({ look, status }: PageEvidence): PageState {
  const said = `${look.title} ${look.text}`;
  if (paywall.test(said)) return "paywall";
  if (notFound.test(look.title) || notFound.test(look.headings)) return "not_found";
  const isRefusal = look.text.length < 400 || refusedWords.test(said);
  if (!isRefusal) return "content";
  return refusals.has(status) || refusedWords.test(said) ? "blocked" : stateOfStatus(status);
}

function stateOfSuccess(evidence: PageEvidence): PageState {
  const { look } = evidence;
  const { length } = look.text;
  if (length <= mostLetters.wall && isChallenge(evidence)) return "challenge";
  if (length <= mostLetters.notFound && isNotFound(evidence)) return "not_found";
  if (length <= mostLetters.login && isLogin(evidence)) return "login_required";
  if (length <= mostLetters.paywall && isPaywall(evidence)) return "paywall";
  if (isParked(evidence)) return "parked";
  if (isAlone(evidence)) {
    if (length <= mostLetters.gate && saysFirst(evidence, geoBlocked)) return "geo_blocked";
    if (length <= mostLetters.wall && isRefused(evidence)) return "blocked";
    if (length <= mostLetters.notice && saysFirst(evidence, tooManyRequests)) return "rate_limited";
    if (length <= mostLetters.notice && saysFirst(evidence, noSite)) return "host_error";
    if (length <= mostLetters.notice && saysFirst(evidence, maintenance)) return "maintenance";
    if (length <= mostLetters.gate && isGate(evidence)) return "consent_wall";
  }
  return isShell(evidence) ? "empty_shell" : "content";
}

/** A notice leads nowhere else. */
function isAlone({ look }: PageEvidence): boolean {
  return look.links < manyLinks && look.sideText.length < 1500;
}

function saysFirst({ look }: PageEvidence, words: RegExp): boolean {
  return words.test(look.title) || words.test(look.headings) || words.test(look.text.slice(0, firstLetters));
}

function isChallenge({ look, status }: PageEvidence): boolean {
  const { length } = look.text;
  if (length <= 60 && look.links < 3 && isTest(look)) return true;
  if (length > 1500 && status < 400) return false;
  const isTitle = challenged.test(look.title);
  if (!isTitle && !challenged.test(look.headings) && !challenged.test(look.text.slice(0, firstLetters * 2)))
    return false;
  // A form of the site may ask the same beside what it is about.
  const isAll = length < (isTitle ? 700 : 400) || status >= 400 || captchaSource.test(look.sources);
  return isAll && (isTitle || (look.passwords === 0 && look.fields <= 3));
}

/** Nothing to read, and a program that tests who is there. */
function isTest(look: PageGlance): boolean {
  if (look.programs <= 3 && cookieTest.test(look.code)) return true;
  if (look.programs === 0 || (!testCode.test(look.code) && !testSource.test(look.sources))) return false;
  // An application has a place where it will stand, or files of its own.
  return look.isHidden || !(rootNames.test(look.names) || appSource.test(look.sources));
}

function isRefused(evidence: PageEvidence): boolean {
  const { look } = evidence;
  if (look.fields > 2) return false;
  return (
    refusedWords.test(look.title) ||
    refusedWords.test(look.headings) ||
    (look.text.length < 300 && refusedWords.test(look.text))
  );
}

function isNotFound({ look, askedPath }: PageEvidence): boolean {
  if (/404|not-?found|error/.test(askedPath)) return false;
  return (
    titleNotFound.test(look.title) ||
    notFound.test(look.title) ||
    notFound.test(look.headings) ||
    (look.text.length < 400 && notFound.test(look.text))
  );
}

/** A site's own start page sells subscriptions, and hides nothing. */
function isPaywall({ seen, askedPath }: PageEvidence): boolean {
  return askedPath !== "/" && paywall.test(seen);
}

/** A parked page is about nothing but the name of its domain. */
function isParked({ look, seen, host, askedPath }: PageEvidence): boolean {
  const { length } = look.text;
  if (!host.includes(".") || length > mostLetters.parked) return false;
  const isTitle = look.title.replace(/^www\./, "") === host;
  if (isTitle && length < 80 && look.links < 20) return true;
  if (askedPath !== "/" || !aboutDomain.test(seen) || !keptDomain.test(seen)) return false;
  return look.title.includes(host) || look.text.slice(0, firstLetters).includes(host);
}

function isGate(evidence: PageEvidence): boolean {
  return (saysFirst(evidence, ageGate) || saysFirst(evidence, consentWall)) && !evidence.hasPageBesideDialog();
}

/** Who asks for a sign-in page by its URL gets the page that was asked for. */
function isLogin({ look, askedPath, finalPath, host }: PageEvidence): boolean {
  if (loginPath.test(askedPath) || /^(?:login|auth|sso|accounts?|id|signin)\./.test(host)) return false;
  if (loginRequired.test(look.text) || loginRequired.test(look.title)) return look.text.length < 700;
  const isDoor = loginTitle.test(look.title) || loginTitle.test(look.headings);
  if (loginPath.test(finalPath)) return isDoor || look.passwords > 0;
  return isDoor && askedPath !== "/" && look.text.length < 600;
}

function isShell({ look }: PageEvidence): boolean {
  if (look.programs === 0 || look.links > 5 || look.images > 3 || look.fields > 1) return false;
  const { length } = look.text;
  const beside = look.linkText.length + look.sideText.length;
  return (length <= mostLetters.shell || (length < 260 && needsScripts.test(look.text))) && beside < 120;
}
