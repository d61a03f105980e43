// The state of pages without a known signature: by their words, how little else there is, and the status.
import { otherProse } from "./other-prose.ts";
import { type PageState, stateOfStatus } from "./page-state.ts";
import type { PageView } from "./page-view.ts";
import { phrases } from "./phrases.ts";
import { headerText, type PageEvidence } from "./vendor-signatures.ts";

/** Most characters of text, menus and links aside, of a page in this state whose status is a success. */
const mostLetters = {
  blockPage: 1200,
  dialog: 700,
  notice: 600,
  notFound: 900,
  login: 900,
  paywall: 1500,
  teaser: 900,
  parked: 1000,
  shell: 40,
};
/** A page with more links leads somewhere: it is part of a site. */
const manyLinks = 40;
/** A notice or a form has no more. */
const fewLinks = 10;
/** Words about something else, of which a notice or a form has fewer. */
const muchProse = 40;
/** The beginning of a page says what it is about. */
const firstLetters = 260;

/** Statuses by which servers and firewalls refuse. */
const refusals = new Set([403, 405, 406, 444, 999]);
const loginPath =
  /log-?in|log-?on|sign-?in|sign-?on|sign-?up|\bsso\b|\bauth|oauth|saml|session|account|register|passw|\buser\b|members?\b|anmeld|connexion|inlog|entrar|acceso|portal|admin|\bcas\b|\bidp\b/;
/** A complete part of the title, or how it ends. */
const titleLogin =
  /(?:^|[-–—|:·•»] ?)(?:(?:please |member |user |account )?(?:log ?in|sign ?in|log ?on|sign ?on)|anmelden|anmeldung|login|connexion|iniciar sesi[oó]n|entrar|accedi|inloggen|logowanie|вход|войти|giriş yap|登录|ログイン|로그인)(?: (?:page|form|to .{1,40}|with .{1,40}))?(?: ?[-–—|:·•»]|$)/;
const captchaSource = /recaptcha|hcaptcha|turnstile|captcha|geetest|arkoselabs|funcaptcha|friendlychallenge/;
/** A complete part of the title. */
const titleNotFound =
  /(?:^|[-–—|:·] ?)(?:404|(?:page |error )?not found|nicht gefunden|introuvable|no encontrad[ao])(?: ?[-–—|:·]|$)/;
/** In scripts of pages that search engines must not index. */
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

/** The status says that something went wrong; the words say what. */
function stateOfError(evidence: PageEvidence): PageState {
  const { view, seen, status } = evidence;
  const said = `${seen} ${view.noscript}`;
  if (status === 401 || status === 407) return "login_required";
  if (phrases.geoBlocked.test(said)) return "geo_blocked";
  if (status === 429) return isChallenge(evidence) ? "challenge" : "rate_limited";
  if (status === 404 || status === 410) return "not_found";
  if (status !== 403 && phrases.tooManyRequests.test(view.title + view.headings)) return "rate_limited";
  if (isLogin(evidence)) return "login_required";
  if (isChallenge(evidence)) return "challenge";
  if (refusals.has(status)) return stateOfRefusal(evidence);
  if (status >= 500) {
    if (phrases.maintenance.test(said)) return "maintenance";
    if (status !== 503) return "host_error";
    if (phrases.refusedWords.test(view.text)) return "blocked";
    return headerText(evidence.headers, "retry-after") === "" ? "host_error" : "rate_limited";
  }
  return status >= 440 ? stateOfRefusal(evidence) : stateOfStatus(status);
}

/** Some servers send the page with a status that refuses it. */
function stateOfRefusal({ view, status }: PageEvidence): PageState {
  const said = `${view.title} ${view.text}`;
  if (phrases.paywall.test(said)) return "paywall";
  if (isHeaded(view, phrases.notFound)) return "not_found";
  const isRefusal = view.text.length < 400 || phrases.refusedWords.test(said);
  if (!isRefusal) return "content";
  return refusals.has(status) || phrases.refusedWords.test(said) ? "blocked" : stateOfStatus(status);
}

function stateOfSuccess(evidence: PageEvidence): PageState {
  const { view } = evidence;
  const { length } = view.text;
  if (length <= mostLetters.blockPage && isChallenge(evidence)) return "challenge";
  if (length <= mostLetters.notFound && isNotFound(evidence)) return "not_found";
  const isForSubscribers = length <= mostLetters.paywall && isPaywall(evidence);
  if (isForSubscribers && view.isPaid) return "paywall";
  if (length <= mostLetters.login && isLogin(evidence)) return "login_required";
  if (isForSubscribers) return "paywall";
  if (isParked(evidence)) return "parked";
  if (isAlone(evidence)) {
    if (isGeoBlocked(evidence)) return "geo_blocked";
    if (length <= mostLetters.blockPage && isRefused(evidence)) return "blocked";
    if (length <= mostLetters.notice && saysFirst(evidence, phrases.tooManyRequests)) return "rate_limited";
    if (length <= mostLetters.notice && saysFirst(evidence, phrases.noSite)) return "host_error";
    if (length <= mostLetters.notice && saysFirst(evidence, phrases.maintenance)) return "maintenance";
    if (length <= mostLetters.dialog && isDialogOnly(evidence)) return "consent_wall";
  }
  return isShell(evidence) ? "empty_shell" : "content";
}

/** A notice leads nowhere else. */
export function isAlone({ view }: PageEvidence): boolean {
  return view.links < manyLinks && view.sideText.length < 1500;
}

function saysFirst({ view }: PageEvidence, words: RegExp): boolean {
  return isHeaded(view, words) || words.test(view.text.slice(0, firstLetters));
}

/** In its title or a heading. */
function isHeaded({ title, headings }: PageView, words: RegExp): boolean {
  return words.test(title) || words.test(headings);
}

function isChallenge({ view, status }: PageEvidence): boolean {
  const { length } = view.text;
  if (length <= 60 && view.links < 3 && isTest(view)) return true;
  if (length > 1500 && status < 400) return false;
  const isTitle = phrases.challenged.test(view.title);
  if (
    !isTitle &&
    !phrases.challenged.test(view.headings) &&
    !phrases.challenged.test(view.text.slice(0, firstLetters * 2))
  )
    return false;
  if (status < 400 && !canTest(view)) return false;
  // A form of the site may ask the same beside what it is about.
  const isAll = length < (isTitle ? 700 : 400) || status >= 400 || captchaSource.test(view.sources);
  return isAll && (isTitle || (view.passwords === 0 && view.fields <= 3));
}

/** Words alone test no visitor. */
function canTest(view: PageView): boolean {
  return view.programs + view.fields > 0 || view.sources !== "" || view.refresh !== "";
}

/** Nothing to read, and a script that tests the visitor. */
function isTest(view: PageView): boolean {
  if (view.programs <= 3 && cookieTest.test(view.code)) return true;
  if (view.programs === 0 || (!testCode.test(view.code) && !testSource.test(view.sources))) return false;
  // An application has a root element, or its own files.
  return view.isHidden || !(rootNames.test(view.names) || appSource.test(view.sources));
}

function isRefused({ view }: PageEvidence): boolean {
  const words = phrases.refusedWords;
  return view.fields <= 2 && (isHeaded(view, words) || (view.text.length < 300 && words.test(view.text)));
}

function isNotFound({ view, askedPath }: PageEvidence): boolean {
  if (/404|not-?found|error/.test(askedPath)) return false;
  if (titleNotFound.test(view.title) || isHeaded(view, phrases.notFound)) return true;
  return view.text.length < 400 && phrases.notFound.test(view.text);
}

function isGeoBlocked(evidence: PageEvidence): boolean {
  const { text } = evidence.view;
  if (text.length > mostLetters.notFound) return false;
  if (saysFirst(evidence, phrases.geoBlocked)) return text.length <= mostLetters.dialog;
  return phrases.geoBlocked.test(text) && otherProse(text) < muchProse;
}

/** A site's start page advertises subscriptions and hides nothing. */
function isPaywall({ view, seen, askedPath }: PageEvidence): boolean {
  if (askedPath === "/") return false;
  if (phrases.paywall.test(seen) || phrases.paywall.test(view.text)) return true;
  if (!view.isPaid) return false;
  return view.text.length <= mostLetters.teaser || phrases.paywall.test(`${view.linkText} ${view.sideText}`);
}

/** A parked page is about nothing but the name of its domain. */
function isParked({ view, seen, host, askedPath }: PageEvidence): boolean {
  const { length } = view.text;
  if (!host.includes(".") || length > mostLetters.parked) return false;
  const isTitle = view.title.replace(/^www\./, "") === host;
  if (isTitle && length < 80 && view.links < 20) return true;
  if (askedPath !== "/" || !phrases.aboutDomain.test(seen) || !phrases.keptDomain.test(seen)) return false;
  return view.title.includes(host) || view.text.slice(0, firstLetters).includes(host);
}

function isDialogOnly(evidence: PageEvidence): boolean {
  return (
    (saysFirst(evidence, phrases.ageRequired) || saysFirst(evidence, phrases.consentRequired)) &&
    !evidence.hasPageBesideDialog()
  );
}

/** When a sign-in page was requested, it is the content. */
function isLogin({ view, askedPath, finalPath, host }: PageEvidence): boolean {
  if (loginPath.test(askedPath) || /^(?:login|auth|sso|accounts?|id|signin)\./.test(host)) return false;
  if (phrases.loginRequired.test(view.text) || phrases.loginRequired.test(view.title)) return view.text.length < 700;
  const isForm = isHeaded(view, phrases.loginTitle) || (titleLogin.test(view.title) && view.fields > 0);
  if (loginPath.test(finalPath)) return isForm || view.passwords > 0;
  if (isPasswordForm(view)) return true;
  return isForm && askedPath !== "/" && view.text.length < 600;
}

/** Little else on the page than fields for a name and a password. */
function isPasswordForm({ passwords, fields, text, links, noscript }: PageView): boolean {
  if (passwords !== 1 || fields > 4 || links > fewLinks || noscript.length > mostLetters.notice) return false;
  return text.length > mostLetters.shell && text.length < mostLetters.notice / 2 && otherProse(text) < muchProse;
}

function isShell({ view }: PageEvidence): boolean {
  if (view.programs === 0 || view.links > 5 || view.images > 3 || view.fields > 1) return false;
  const { length } = view.text;
  const beside = view.linkText.length + view.sideText.length;
  return (length <= mostLetters.shell || (length < 260 && phrases.needsScripts.test(view.text))) && beside < 120;
}
