// How Trawl identifies itself to a site.

/** The same in every attempt. */
export interface Identity {
  desktop: Visitor;
  mobile: Visitor;
}

export interface Visitor {
  userAgent: string;
  /** Client hints: headers that a browser sends to https beside its User-Agent. */
  hints: Readonly<Record<string, string>>;
}

/** Under our own name, or as a mobile device if requested. */
export function ownIdentity(userAgent: string): Identity {
  return { desktop: { userAgent, hints: {} }, mobile: { userAgent: mobileUserAgent("140"), hints: {} } };
}

/** What Chromium says of itself. */
export interface ChromiumNames {
  userAgent: string;
  brands: readonly { brand: string; version: string }[];
  platform: string;
}

/** As a Chromium with a person in front of it: only the user agent tells that it is headless. */
export function browserIdentity({ userAgent, brands, platform }: ChromiumNames): Identity {
  const shown = userAgent.replace("HeadlessChrome/", "Chrome/");
  const major = /Chrome\/(\d+)/.exec(shown)?.[1] ?? "140";
  const list = brands
    .filter(({ brand }) => brand !== "HeadlessChrome")
    .map(({ brand, version }) => `${quoted(brand)};v=${quoted(version)}`);
  const hints = (mobile: string, system: string) => ({
    "sec-ch-ua": list.join(", "),
    "sec-ch-ua-mobile": mobile,
    "sec-ch-ua-platform": quoted(system),
  });
  return {
    desktop: { userAgent: shown, hints: hints("?0", platform) },
    mobile: { userAgent: mobileUserAgent(major), hints: hints("?1", "Android") },
  };
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function mobileUserAgent(major: string): string {
  return (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) " +
    `Chrome/${major}.0.0.0 Mobile Safari/537.36`
  );
}
