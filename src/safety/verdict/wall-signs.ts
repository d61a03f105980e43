// Walls of services that stand before sites: content networks and bot managers, by what only their walls have. The script that a
// vendor puts on every page behind it is no sign; the form, frame or program of its wall is.
import type { Sign } from "./sign.ts";

const refused = [401, 403, 405, 406, 409, 410, 418, 429, 444, 493, 501, 503, 521];

export const wallSigns: readonly Sign[] = [
  // Cloudflare: what is said by a number first, then its challenges of many years, then refusals.
  { vendor: "cloudflare", state: "geo_blocked", text: /\berror (?:code: )?1009\b|banned the country or region/ },
  { vendor: "cloudflare", state: "rate_limited", text: /\berror (?:code: )?1015\b/ },
  {
    vendor: "cloudflare",
    state: "host_error",
    text: /\berror (?:code: )?(?:100[0-4]|1014|1016|1018|1019|1023|103[345]|110[14]|5(?:2\d|30))\b.*(?:cloudflare|ray id)/,
  },
  {
    vendor: "cloudflare",
    state: "host_error",
    whole: /^error code: (?:100[0-4]|1014|1016|1018|1033|5\d\d)$/,
  },
  { vendor: "cloudflare", state: "challenge", header: ["cf-mitigated", /challenge/i] },
  { vendor: "cloudflare", state: "challenge", code: /_cf_chl_opt|__cf_chl_|cf_chl_prog/ },
  {
    vendor: "cloudflare",
    state: "challenge",
    source:
      /\/cdn-cgi\/(?:l\/chk_|challenge-platform\/(?:h\/\w\/)?orchestrate|images\/trace\/(?:jsch|captcha|managed)|styles\/challenges)/,
  },
  { vendor: "cloudflare", state: "challenge", names: /#(?:challenge-form|cf-challenge-running|challenge-running)\b/ },
  {
    vendor: "cloudflare",
    state: "challenge",
    title: /^(?:just a moment\.\.\.|attention required! \| cloudflare)/,
    text: /complete the security check|checking your browser|verify you are human|verifying you are human|needs to review the security/,
  },
  { vendor: "cloudflare", state: "challenge", title: /^just a moment\.\.\.$/, atMost: 600 },
  {
    vendor: "cloudflare",
    state: "challenge",
    text: /checking your browser before accessing.*ddos protection by cloudflare/,
  },
  { vendor: "cloudflare", state: "challenge", title: /waiting room powered by cloudflare/ },
  {
    vendor: "cloudflare",
    state: "blocked",
    title: /^attention required! \| cloudflare|used cloudflare to restrict access/,
  },
  { vendor: "cloudflare", state: "blocked", whole: /^error code: 10(?:06|07|08|10|12|13|20)$/ },
  { vendor: "cloudflare", state: "blocked", text: /sorry, you have been blocked.*cloudflare/ },
  { vendor: "cloudflare", state: "blocked", text: /\berror 10(?:05|06|07|08|10|12|13|20)\b.*ray id/ },

  // Akamai
  {
    vendor: "akamai",
    state: "blocked",
    text: /you don't have permission to access .{0,1500}on this server\.? ?reference ?#/,
  },
  { vendor: "akamai", state: "host_error", text: /service unavailable - (?:dns|fail).{0,300}reference ?#/ },
  { vendor: "akamai", state: "host_error", text: /an error occurred while processing your request\. ?reference ?#/ },
  {
    vendor: "akamai",
    state: "challenge",
    names: /#(?:sec-(?:if-)?cpt-(?:container|if)|sec-bc-)|\.(?:sec-bc-tile|behavioral-content)/,
  },
  { vendor: "akamai", state: "challenge", text: /powered and protected by/, source: /akamai/, atMost: 400 },
  { vendor: "akamai", state: "challenge", source: /\/_sec\/(?:cp_challenge|verify)|\/akam-sw\.js/, atMost: 200 },
  { vendor: "akamai", state: "blocked", title: /^access denied$/, source: /errors\.edgesuite\.net/ },
  { vendor: "akamai", state: "blocked", header: ["server", /akamaighost/i], status: [403], atMost: 400 },

  // Imperva, and Distil that it bought
  { vendor: "distil", state: "blocked", source: /distil_r_blocked/ },
  { vendor: "distil", state: "challenge", source: /distil_r_captcha|unblock\.distilnetworks|\/distil_r_/ },
  { vendor: "distil", state: "challenge", refresh: /distil_r_captcha/i },
  { vendor: "distil", state: "challenge", title: /^pardon our interruption/, source: /distil|ds\.tl/ },
  { vendor: "imperva", state: "challenge", title: /^pardon our interruption/ },
  {
    vendor: "imperva",
    state: "challenge",
    text: /pardon our interruption.*made us think (?:that )?you (?:were|are|might be) a (?:ro)?bot/,
  },
  {
    vendor: "imperva",
    state: "challenge",
    code: /isImpervaSpaSupport|reeseSkipExpirationCheck|onProtectionInitialized/,
    atMost: 900,
  },
  {
    vendor: "imperva",
    state: "challenge",
    source: /_incapsula_resource/,
    text: /additional security check is required/,
  },
  {
    vendor: "imperva",
    state: "blocked",
    source: /_incapsula_resource\?\S*(?:cwudnsai|incident_id|edet=)/,
    atMost: 600,
  },
  {
    vendor: "imperva",
    state: "blocked",
    text: /incapsula incident id|powered by imperva.*incident id|incident id: \d+-\d+/,
  },
  {
    vendor: "imperva",
    state: "blocked",
    text: /page cannot be displayed\. please contact support .{0,80}the incident id is/,
  },

  // DataDome
  { vendor: "datadome", state: "challenge", source: /(?:geo|ct|interstitial)\.captcha-delivery\.com/, atMost: 300 },
  { vendor: "datadome", state: "challenge", text: /captcha-delivery\.com\/(?:captcha|interstitial)/, atMost: 600 },
  { vendor: "datadome", state: "challenge", code: /var dd ?= ?\{[^}]*['"]rt['"]/, atMost: 300 },
  { vendor: "datadome", state: "blocked", source: /ct\.datadome\.co\/c\.js/, atMost: 300 },
  { vendor: "datadome", state: "blocked", header: ["server", /datadome/i], status: [403], atMost: 500 },
  { vendor: "datadome", state: "blocked", header: ["x-datadome", /./], status: [403], atMost: 500 },

  // HUMAN (PerimeterX)
  { vendor: "perimeterx", state: "challenge", names: /#px-captcha|\.px-captcha/ },
  {
    vendor: "perimeterx",
    state: "challenge",
    code: /_px(?:AppId|Uuid|HostUrl)|px_uuid/,
    title: /access to this page has been|human verification|are you (?:a )?human|robot or human|denied|blocked/,
  },
  {
    vendor: "perimeterx",
    state: "challenge",
    code: /_px(?:Captcha|Uuid|BlockedUrl)|px-captcha|px-cdn\.net|px-cloud\.net\/\w+\/captcha/,
    atMost: 900,
  },
  { vendor: "perimeterx", state: "challenge", text: /press (?:&|and) hold.{0,60}(?:human|not a (?:ro)?bot)/ },
  { vendor: "perimeterx", state: "challenge", text: /we believe you are using automation tools to browse/ },
  { vendor: "perimeterx", state: "challenge", text: /"?appid"?: ?"px\w{8}"/, atMost: 1500 },

  // Kasada
  { vendor: "kasada", state: "challenge", code: /\bKPSDK\b/, source: /\/ips\.js/, atMost: 300 },
  { vendor: "kasada", state: "challenge", header: ["x-kpsdk-ct", /./], status: [403, 429], atMost: 300 },

  // F5: ASM, TSPD, Shape, Distributed Cloud
  { vendor: "f5", state: "blocked", text: /the requested url was rejected\..{0,200}support id/ },
  { vendor: "f5", state: "blocked", title: /^request rejected/, atMost: 600 },
  { vendor: "f5", state: "challenge", code: /\bbobcmn\b|dosl7_common|TSPD_101/, atMost: 300 },
  { vendor: "f5", state: "challenge", source: /\/tspd\/\w+\?type=/, atMost: 150 },
  { vendor: "f5", state: "challenge", code: /_imp_apg_r_|istlWasHere/, atMost: 200 },

  // Amazon
  { vendor: "aws-waf", state: "challenge", header: ["x-amzn-waf-action", /challenge|captcha/i] },
  {
    vendor: "aws-waf",
    state: "challenge",
    code: /gokuProps|awsWafCookieDomainList|AwsWafIntegration\.(?:save|check|force)|AwsWafCaptcha\.render/,
    atMost: 600,
  },
  { vendor: "cloudfront", state: "geo_blocked", text: /configured to block access from your country/ },
  {
    vendor: "cloudfront",
    state: "blocked",
    title: /^error: the request could not be satisfied/,
    text: /request blocked\./,
  },
  { vendor: "cloudfront", state: "host_error", title: /^error: the request could not be satisfied/ },
  { vendor: "amazon", state: "challenge", source: /\/errors(?:_page)?\/validatecaptcha/ },
  { vendor: "amazon", state: "challenge", text: /to discuss automated access to amazon data/ },

  // Google
  { vendor: "google", state: "challenge", text: /our systems have detected unusual traffic/ },
  {
    vendor: "google",
    state: "challenge",
    names: /#captcha-form/,
    source: /recaptcha\/(?:enterprise|api)/,
    atMost: 800,
  },
  {
    vendor: "google",
    state: "blocked",
    text: /your client does not have permission to get url .{0,500}that's all we know/,
  },
  { vendor: "project-shield", state: "challenge", source: /ddos-shield\.appspot|g\.co\/shield/, atMost: 500 },

  // Microsoft
  { vendor: "azure", state: "challenge", source: /\/\.azwaf\/|azwaf(?:\.|\/|-)/, atMost: 900 },
  { vendor: "azure", state: "challenge", title: /^azure waf/ },
  {
    vendor: "azure",
    state: "host_error",
    text: /our services aren't available right now.{0,200}we're working to restore/,
  },
  { vendor: "azure", state: "blocked", header: ["x-azure-ref", /./], status: [403, 429], atMost: 400 },
  { vendor: "azure", state: "blocked", text: /microsoft-azure-application-gateway/, status: [403] },
  {
    vendor: "azure",
    state: "blocked",
    whole: /^(?:x-azure-ref: .{0,80})?the request is blocked\.?(?: [\w-]{15,80})?$/,
  },

  // Vercel, Netlify, Fastly
  { vendor: "vercel", state: "challenge", header: ["x-vercel-mitigated", /challenge/i] },
  { vendor: "vercel", state: "challenge", title: /^vercel security checkpoint/ },
  { vendor: "vercel", state: "challenge", source: /\/\.well-known\/vercel\/security\//, atMost: 600 },
  { vendor: "vercel", state: "blocked", header: ["x-vercel-mitigated", /deny/i] },
  { vendor: "fastly", state: "challenge", source: /\/_fs-ch-\w/, atMost: 700 },
  { vendor: "fastly", state: "challenge", title: /^client challenge$/, atMost: 700 },

  // Sucuri, GoDaddy's firewall
  { vendor: "sucuri", state: "challenge", code: /sucuri_cloudproxy_js|sucuri_cp_js/ },
  {
    vendor: "sucuri",
    state: "blocked",
    text: /sucuri website firewall|cloudproxy@sucuri|access denied.{0,60}(?:sucuri|cloudproxy)/,
  },
  { vendor: "sucuri", state: "blocked", title: /sucuri website firewall|sucuri cloudproxy/ },
  { vendor: "godaddy", state: "blocked", text: /godaddy website firewall|access denied - godaddy/ },

  // Further services
  { vendor: "stackpath", state: "challenge", text: /stackpath/, status: refused },
  { vendor: "stackpath", state: "challenge", source: /\/sbbi\/\?sbbpg=|sbtsckjs|stackpathcaptcha/ },
  { vendor: "ddos-guard", state: "challenge", title: /ddos-guard/ },
  {
    vendor: "ddos-guard",
    state: "challenge",
    source: /\/\.well-known\/ddos-guard\/|check\.ddos-guard\.net/,
    atMost: 600,
  },
  { vendor: "ddos-guard", state: "challenge", header: ["server", /ddos-guard/i], status: [403, 429, 503], atMost: 600 },
  { vendor: "qrator", state: "challenge", source: /\/__qrator\/|qauth_utm/, atMost: 500 },
  { vendor: "qrator", state: "blocked", header: ["server", /qrator/i], status: [401, 403, 429], atMost: 600 },
  { vendor: "servicepipe", state: "challenge", source: /servicepipe\.ru|\/exhkqyad/, atMost: 700 },
  { vendor: "servicepipe", state: "challenge", code: /get_cookie_spsn|\bspsn=/, atMost: 400 },
  { vendor: "variti", state: "challenge", text: /\bvariti\b/, atMost: 900 },
  { vendor: "ngenix", state: "blocked", text: /\bngenix\b/, status: refused },
  { vendor: "reblaze", state: "challenge", code: /\brbzns\b|winsocks\(\)/, atMost: 400 },
  {
    vendor: "reblaze",
    state: "blocked",
    text: /access denied \(403\) ?current session has been terminated|reblaze secure web gateway/,
  },
  { vendor: "radware", state: "challenge", source: /(?:captcha|validate)\.perfdrive\.com/ },
  { vendor: "radware", state: "challenge", title: /radware .{0,20}captcha|radware bot manager/ },
  {
    vendor: "radware",
    state: "challenge",
    text: /your activity and behavior on this site made us think that you are a bot/,
  },
  { vendor: "radware", state: "blocked", title: /radware block page|unauthorized request blocked/ },
  {
    vendor: "radware",
    state: "blocked",
    text: /unauthorized (?:activity|request) (?:has been detected|blocked).{0,300}case number|radware/,
    status: refused,
  },
  { vendor: "netacea", state: "challenge", source: /netacea/, text: /captcha|human|robot/, atMost: 600 },
  {
    vendor: "queue-it",
    state: "challenge",
    source: /(?:static|assets)\.queue-it\.net|queue-it\.net\/(?:softblock|\?c=)/,
    text: /in line|queue|waiting room|warteschlange|file d'attente/,
    atMost: 900,
  },
  { vendor: "shovl", state: "challenge", text: /ddos protection by shovl/ },
  { vendor: "blazingfast", state: "challenge", text: /blazingfast\.io|ddos protection by blazingfast/, atMost: 900 },
  { vendor: "gcore", state: "challenge", text: /protected by g-?core|gcore waf/, atMost: 900 },
  { vendor: "bunny", state: "challenge", source: /\.bunny-shield|bunny-shield/, atMost: 700 },
  { vendor: "bunny", state: "challenge", title: /^establishing a secure connection/, atMost: 500 },
  { vendor: "arvancloud", state: "challenge", source: /arvancloud|\/cdn-cgi\/arvan/, status: refused },
  { vendor: "edgio", state: "blocked", header: ["server", /^ec(?:acc|s|d) /i], status: [403], atMost: 500 },
  { vendor: "limelight", state: "blocked", header: ["server", /edgeprism/i], status: [403], atMost: 500 },
  { vendor: "nexusguard", state: "challenge", text: /powered by nexusguard/ },
  { vendor: "link11", state: "challenge", text: /link11/, status: refused },
  { vendor: "myra", state: "challenge", text: /myra (?:security|cloud)/, status: refused },
  { vendor: "baffin-bay", state: "blocked", text: /baffin bay/, status: refused },
  { vendor: "linkedin", state: "blocked", status: [999] },
  { vendor: "meta", state: "blocked", text: /you're temporarily blocked.{0,200}going too fast/ },
  { vendor: "reddit", state: "blocked", text: /you've been blocked by network security|whoa there, pardner/ },
  {
    vendor: "yandex",
    state: "challenge",
    source: /\/(?:showcaptcha|checkcaptcha)|smartcaptcha\.(?:yandex|cloud)/,
    atMost: 900,
  },
  { vendor: "baidu", state: "challenge", title: /^百度安全验证/ },
  { vendor: "baidu", state: "challenge", source: /wappass\.baidu\.com\/static\/captcha/, atMost: 500 },
];
