// Domains without a site: parked, for sale, expired, kept by a registrar.
import type { Sign } from "./sign.ts";

const parked = (vendor: string, text: RegExp, atMost = 1500): Sign => ({ vendor, state: "parked", text, atMost });
const served = (vendor: string, source: RegExp, atMost = 1500): Sign => ({ vendor, state: "parked", source, atMost });
const coded = (vendor: string, code: RegExp, atMost = 400): Sign => ({ vendor, state: "parked", code, atMost });

export const parkedSigns: readonly Sign[] = [
  coded("bodis", /window\.park ?= ?["']/),
  coded("godaddy", /window\.location\.(?:href|replace)?\s*(?:=|\()\s*["']\/lander["']/, 60),
  served("bodis", /bodis\.com|bodiscdn/),
  served("sedo", /(?:img|www|parking)\.sedoparking\.com|sedoparking/),
  served("parkingcrew", /parkingcrew\.net|cdnpark\.com|d38psrni17bvxu\.cloudfront\.net/),
  served("godaddy", /wsimg\.com\/parking-lander|imgaft\.com/),
  served("google-afd", /adsense\/domains\/caf\.js/),
  served(
    "skenzo",
    /cdn-image\.com\/__media__|\/sk-(?:domsale|logabp)\.|domainretailing\.com|rmgserving|advexplore\.com/,
  ),
  served("above", /above\.com\/(?:marketplace|domain)|parking\.above\.com|trellian/, 900),
  served("parklogic", /parklogic\.com|parkingpage\.namecheap\.com|parking-page/, 900),
  served("dan", /dan\.com\/(?:buy-domain|domain|users)|cdn\d*\.dan\.com/, 1500),
  served("afternic", /afternic\.com\/(?:forsale|domain|listing)|\/forsale\/\S*traffic_id/, 900),
  served("hugedomains", /hugedomains\.com\/domain_profile/, 900),
  served("uniregistry", /uniregistry\.com\/(?:market|buy)|uniregistry-parking/, 900),
  served(
    "voodoo",
    /voodoo\.com\/|fastpark\.net|rookdns|domainsponsor\.com|smartname\.com|dsparking|ztomy\.com|ndsplitter|searchvity/,
    900,
  ),
  served("ename", /escrow\.ename\.com|ename\.com\.cn\/(?:auction|index)/, 900),
  served("101domain", /park\.101datacenter\.net|utm_campaign=parked-page/),
  served("net4", /\/net4parking\//),
  served("namebright", /pages\/parking\.aspx|namebright\.com\/(?:buy|domain)/, 400),
  served("domainnameshop", /domainnameshop\.com\/whois|domeneshop\.no\/whois/, 400),

  parked("godaddy", /parked (?:for )?free,? courtesy of godaddy|this web ?page is parked/),
  parked(
    "registrar",
    /this (?:web ?)?(?:site|page|domain)(?: name)? (?:is|has been|was) (?:currently |recently )?parked/,
  ),
  parked(
    "registrar",
    /(?:this )?domain (?:name )?(?:is|was|has been) (?:recently |currently )?registered (?:at|with|by|through) /,
    900,
  ),
  parked(
    "registrar",
    /\b[\w-]+(?:\.[\w-]+)+ (?:is|was|has been) (?:recently |just )?(?:registered|parked) (?:at|with|by|on|through) /,
    1500,
  ),
  parked("registrar", /(?:this )?domain (?:name )?(?:has )?expired(?: on| and|\.|$)|this domain has expired/, 900),
  parked("registrar", /future home of (?:something quite cool|\.\.\.|[\w-]+\.[a-z])/, 1200),
  parked("registrar", /is registered, but the owner currently does not have an active web ?site/),
  parked(
    "seller",
    /(?:this|the) (?:premium )?domain(?: name)? (?:\S+ )?(?:is|may be|might be|could be) (?:available )?(?:for sale|for purchase)/,
    900,
  ),
  parked(
    "seller",
    /(?:buy|purchase|inquire about|make an offer (?:on|for)|get|interested in|lease|rent) this domain\b/,
    900,
  ),
  parked("seller", /the owner of [\w.-]+ is (?:looking at selling|offering)/),
  parked(
    "seller",
    /sponsored listings displayed above are served automatically|the domain owner maintains no relationship with the advertisers/,
  ),
  parked(
    "seller",
    /(?:die|diese) domain .{0,60}(?:zu verkaufen|steht zum verkauf|kann gekauft werden|ist geparkt)|domain ist bereits registriert|hier entsteht eine neue (?:internet)?(?:präsenz|webseite|homepage)/,
    900,
  ),
  parked(
    "seller",
    /(?:le|ce) (?:nom de )?domaine .{0,60}(?:est à vendre|est en vente|est parqué|a expiré|est enregistré|est réservé)/,
    900,
  ),
  parked(
    "seller",
    /(?:el|este) dominio .{0,60}(?:está (?:en venta|a la venta|aparcado|registrado|disponible)|ha (?:caducado|expirado))/,
    900,
  ),
  parked(
    "seller",
    /(?:este|o) domínio .{0,60}(?:está à venda|está estacionado|expirou|foi registrado|está registrado)/,
    900,
  ),
  parked(
    "seller",
    /(?:questo|il) dominio .{0,60}(?:è in vendita|è scaduto|è stato registrato|è parcheggiato|è registrato)/,
    900,
  ),
  parked(
    "seller",
    /(?:dit|deze|de) domein(?:naam)? .{0,60}(?:is te koop|te koop|is geregistreerd|is geparkeerd|is gereserveerd)/,
    900,
  ),
  parked(
    "seller",
    /(?:ta |ta)?domena .{0,60}(?:jest na sprzedaż|została zaparkowana|jest utrzymywana|wygasła|na sprzedaż)/,
    900,
  ),
  parked(
    "seller",
    /домен .{0,60}(?:продается|продаётся|припаркован|зарегистрирован|истёк|истек|выставлен на продажу)/,
    900,
  ),
  parked("seller", /(?:域名|網域|网域).{0,30}(?:出售|转让|轉讓|待售|可以购买|已过期|竞价)/, 900),
  parked("seller", /(?:このドメイン|ドメイン).{0,40}(?:販売|売り出し|取得されています|期限切れ|お名前\.com)/, 900),
  parked("seller", /이 도메인.{0,40}(?:판매|구매|등록|만료)/, 900),
  parked("seller", /bu alan adı .{0,60}(?:satılık|park edilmiş|tescil|kayıtlı)/, 900),
  { vendor: "safenames", state: "parked", title: /^domain registered at/, atMost: 1200 },
  {
    vendor: "registrar",
    state: "parked",
    title:
      /^(?:\S+\.\S+ (?:is (?:parked|for sale|expired|coming soon)|has expired|- registered at|steht zum verkauf)|domain (?:parked|for sale|expired)|parked domain|buy \S+\.\S+)/,
    atMost: 1500,
  },
  { vendor: "registrar", state: "parked", title: /^future home of/, atMost: 1200 },
];
