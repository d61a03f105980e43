// What pages say instead of the page that was asked for, in the languages that most pages are written in. All lower case.
import stored from "./phrases.json" with { type: "json" };

const { phrases } = stored;
const any = (ways: readonly string[]) => new RegExp(ways.join("|"));

export const notFound = any(phrases.notFound);
export const maintenance = any(phrases.maintenance);
export const geoBlocked = any(phrases.geoBlocked);
export const tooManyRequests = any(phrases.tooManyRequests);
/** They say that the page is closed to those who have not signed in: most pages have a link for signing in. */
export const loginRequired = any(phrases.loginRequired);
/** A title or heading that names nothing but a sign-in form. */
export const loginTitle = any(phrases.loginTitle);
export const paywall = any(phrases.paywall);
/** They ask for consent to cookies before the page. */
export const consentRequired = any(phrases.consentRequired);
export const ageRequired = any(phrases.ageRequired);
export const challenged = any(phrases.challenged);
export const refusedWords = any(phrases.refusedWords);
/** They ask for JavaScript. */
export const needsScripts = any(phrases.needsScripts);
/** What a server or a hoster says where there is no site. */
export const noSite = any(phrases.noSite);
/** Words of those who keep or sell a domain. */
export const aboutDomain = any(phrases.aboutDomain);
export const keptDomain = any(phrases.keptDomain);
/** Ids and classes of consent and age dialogs, as sites and the well-known consent services name them. */
export const dialogNames = new RegExp(stored.dialogNames, "i");
