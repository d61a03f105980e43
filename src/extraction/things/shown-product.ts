// A product as a page shows it, where no data describes it.
import type { Found, FoundThing } from "../findings/finding.ts";
import { Chooser } from "../methods/candidate-chooser.ts";
import { rankEntities } from "../methods/entity-choice.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readWanted } from "../schema/wanted.ts";
import { currencyCode, findMoney } from "../values/numbers.ts";
import {
  amountOf,
  availabilityIn,
  imagesIn,
  longestText,
  moneyOf,
  type Product,
  pageCurrency,
  productFrom,
  variantFrom,
} from "./product-texts.ts";

const shownSchema = {
  title: "product",
  type: "object",
  properties: {
    name: { type: "string" },
    brand: { type: "string" },
    category: { type: "string" },
    description: { type: "string" },
    sku: { type: "string" },
    price: { type: "number" },
    currency: { type: "string" },
    availability: { type: "string" },
    image: { type: "string", format: "uri" },
  },
};

/** Only a page that is about one thing with a price: the price must be a sure one. */
const leastPriceConfidence = 0.55;

export function readShownProduct(page: ParsedPage, url: string): FoundThing<Product> | null {
  const wanted = readWanted(shownSchema);
  const found = new Chooser(page).object(wanted, rankEntities(page, wanted), []);
  const fields = found?.kind === "object" ? found.fields : {};
  const of = (name: string) => shownValue(fields[name]);
  const price = fields.price;
  const title = of("name");
  if (title === "" || price?.kind !== "value" || price.place.confidence < leastPriceConfidence) return null;
  const amount = amountOf(String(price.value));
  if (amount === null || !canBeBought(page)) return null;
  const written = findMoney(price.place.text);
  const currency = currencyCode(written?.currency ?? "") ?? currencyCode(of("currency")) ?? pageCurrency(page);
  const image = page.urls.web(of("image"));
  const sku = of("sku");
  const variant = variantFrom({
    id: sku,
    sku,
    title,
    price: moneyOf(amount, currency, written?.text ?? ""),
    availability: availabilityIn(of("availability")),
    images: imagesIn(page, image ? [image] : [], { element: page.text.root }),
  });
  const told = { title, brand: of("brand"), category: of("category"), description: of("description") };
  return { thing: productFrom(page, url, told, [variant]), leftOut: 0 };
}

const buying =
  /\b(?:add to (?:cart|basket|bag|trolley)|buy (?:now|it)|in den warenkorb|ajouter au panier|a[ñn]adir al carrito|agregar al carrito|aggiungi al carrello|adicionar ao carrinho|comprar|kaufen|acheter|in winkelwagen|do koszyka|в корзину|купить|sepete ekle)\b|カートに入れる|加入购物车|加入購物車|장바구니/iu;

/** A price alone is on many pages; what can be bought has a button for it. */
function canBeBought(page: ParsedPage): boolean {
  const type = page.meta("og:type")?.text ?? "";
  return /product/i.test(type) || page.text.buttons.some((button) => buying.test(button.text));
}

function shownValue(found: Found | undefined): string {
  return found?.kind === "value" ? String(found.value).slice(0, longestText) : "";
}
