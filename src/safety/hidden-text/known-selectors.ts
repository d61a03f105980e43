// Whether browsers know all names in a selector: a rule with one that they do not know holds for nothing, whatever else it names.

const classes =
  /^(?:hover|active|focus|focus-within|focus-visible|target|target-within|target-current|visited|valid|invalid|user-valid|user-invalid|indeterminate|popover-open|modal|fullscreen|playing|paused|muted|seeking|stalled|buffering|volume-locked|picture-in-picture|autofill|placeholder-shown|in-range|out-of-range|default|root|scope|defined|empty|link|any-link|open|checked|disabled|enabled|required|optional|read-only|read-write|lang|dir|state|host|host-context|has-slotted|first|left|right|(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type)|is|where|not|has|active-view-transition(?:-type)?|-webkit-(?:any|any-link|autofill|autofill-[\w-]+|full-screen|drag|resizer)|before|after|first-line|first-letter)$/i;
const elements =
  /^(?:before|after|first-line|first-letter|marker|placeholder|selection|backdrop|cue|part|slotted|file-selector-button|target-text|spelling-error|grammar-error|highlight|details-content|checkmark|column|picker|picker-icon|scroll-[\w-]+|search-text|view-transition[\w-]*|-webkit-[\w-]+)$/i;
const named = /(::?)(-?[a-z][\w-]*)(\()?/gi;
/** Lists in which browsers pass over what they do not know. */
const forgiving = /:(?:is|where)\([^()]*(?:\([^()]*\)[^()]*)*\)/gi;
const strings = /"[^"]*"|'[^']*'|\\.|\[[^\]]*\]/g;

export function isKnownSelector(selectors: string): boolean {
  const plain = selectors.replace(strings, "[]").replace(forgiving, ":is()");
  if (/[>+~]\s*(?:,|$)|^\s*,|,\s*(?:,|$)|[{}@!]/.test(plain)) return false;
  for (const [, colons, name = ""] of plain.matchAll(named))
    if (!(colons === "::" ? elements : classes).test(name)) return false;
  return true;
}
