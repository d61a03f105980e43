// Words by which pages say whether a thing is available, in the languages of shops.

const notAvailable = patternOf([
  String.raw`out[\s_-]*of[\s_-]*stock|sold[\s_-]*out|not available|unavailable|no longer|discontinued|back[\s_-]*order|currently not`,
  String.raw`not (?:currently )?in[\s_-]*stock|no stock|\b0 (?:in stock|available)|(?:cannot|can't) (?:currently )?be (?:bought|purchased|ordered)`,
  String.raw`(?:notify|e-?mail|tell) me when|^notify me$|\b(?:ended|expired)\b`,
  "ausverkauft|vergriffen|nicht (?:verf[uü]gbar|lieferbar|auf lager|vorr[aä]tig|mehr)|beendet",
  "rupture|indisponible|[eé]puis[eé]|terminé",
  "agotado|sin (?:stock|existencias)|no disponible|esaurito|non (?:più )?disponibil[ei]|esgotado|indispon[ií]ve(?:l|is)",
  "uitverkocht|niet (?:meer )?(?:op voorraad|leverbaar|beschikbaar)",
  String.raw`niedost[eę]pn|brak w|wyprzedan|nen[ií] (?:skladem|k dispozici)|nie je (?:na sklade|skladom|dostupn|možné (?:\S+ )?(?:kúpiť|objednať))|nelze (?:\S+ )?(?:koupit|objednat)|vypred|vyprod|nedostupn`,
  "rasprodan|nema na (?:zalihi|stanju)|stoc epuizat|nu este (?:disponibil|[iî]n stoc)|elfogyott|nincs (?:készleten|raktáron)",
  "нет (?:в наличии|на складе)|распродан|отсутствует|изчерпан",
  String.raw`slutsåld|slut i lager|udsolgt|ikke på lager|utsolgt|\bloppu(?:nut)?\b|loppuunmyyty|tükendi|stok(?:ta)? yok`,
  "品切|売り切れ|在庫なし|在庫切れ|完売|품절|일시품절|매진|缺货|缺貨|售罄|售完|補貨中|貨到通知",
]);

const available = patternOf([
  String.raw`in[\s_-]*stock|instoreonly|onlineonly|limitedavailability|\bavailable\b|ready to ship|ships? (?:in|within|today|from)|usually ships|pre-?order`,
  String.raw`add[\s_-]?to[\s_-]?(?:your |my |the )?(?:shopping )?(?:cart|bag|basket|trolley)|buy[\s_-]?(?:it[\s_-]?)?now|^buy(?:$|[\s_-](?!more|guide))|order now|book now`,
  "(?:contact|chat with) (?:the )?(?:seller|advertiser)|make (?:an )?offer|show phone|compare (?:all )?(?:prices|offers)|(?:place|submit) (?:a )?bid",
  "auf lager|lieferbar|sofort|vorr[aä]tig|in den (?:warenkorb|einkaufswagen)|jetzt (?:kaufen|buchen)|bestellen|(?:preise|angebote) vergleichen|^kontaktieren$|(?:verk[aä]ufer|anbieter|inserent) kontaktieren",
  "en stock|disponible|ajouter au panier|^acheter|contacter (?:le )?vendeur|comparer les (?:prix|offres)|r[eé]server",
  "en existencia|a[ñn]adir (?:al carrito|a la cesta)|agregar al carr(?:o|ito)|comprar|contactar|reservar",
  "disponibil|disponibile|aggiungi al carrello|^acquista|fai un(?:'offerta|a proposta)|dispon[ií]vel|em estoque|adicionar ao (?:carrinho|cesto|saco)",
  "op voorraad|leverbaar|in (?:de )?winkelwagen|in winkelmand",
  "dost[eę]pn|na stanie|skladem|skladom|na sklade|do koszyka|do ko[sš][ií]k|kúpiť|koupit|^kupi(?:$| (?:sada|odmah|zdaj))|dodaj (?:u (?:košaricu|korpu)|v košarico)",
  String.raw`[iî]n stoc\b|adaug[aă] [iî]n co[sș]|raktáron|készleten|kos[aá]rba`,
  "в наличии|есть|в корзину|купить|написать(?! отзыв)|позвонить|показать телефон|сравнить (?:все )?цены|в количката",
  String.raw`i lager|på lager|l[aä]gg i (?:varukorg|kundvagn)|l[æe]gg? i (?:kurv|handlekurv)|\bk[oø]b\b|varastossa|lisää (?:ostos)?koriin|stokta|sepete ekle|satın al`,
  "在庫あり|購入|カート|구매|재고있|장바구니|有货|现货|(?:加入|放入)購物車|(?:直接|馬上|我要|立即)購買|加入购物车|立即购买",
]);

function patternOf(languages: readonly string[]): RegExp {
  return new RegExp(languages.join("|"), "i");
}

/** Whether a text says that something is available; null when it does not say. */
export function availabilityOf(text: string): boolean | null {
  if (notAvailable.test(text)) return false;
  return available.test(text) ? true : null;
}
