// The kinds of things that are read whole, in a fixed form rather than by a caller's schema.

export interface ThingMoney {
  amount: number;
  currency?: string;
  formatted: string;
}

export interface ProductVariant {
  id: string;
  sku?: string;
  title: string;
  /** What tells it from the others: { color: "red", size: "M" }. */
  values: Record<string, string>;
  price?: ThingMoney;
  sale?: { originalPrice: ThingMoney };
  availability?: { inStock: boolean; text: string };
  images: string[];
}

export interface ProductThing {
  title: string;
  brand?: string;
  category?: string;
  url?: string;
  description?: string;
  variants: ProductVariant[];
}

export interface FoundProduct {
  product: ProductThing;
  /** Variants that were left out because there are too many. */
  leftOut: number;
}

export interface MenuItem {
  id: string;
  name: string;
  description?: string;
  price?: number;
}

export interface MenuThing {
  isMenu: boolean;
  /** 0..1 */
  confidence: number;
  merchant?: string;
  currency?: string;
  sections: { id: string; name: string; items: MenuItem[] }[];
  sourceUrl: string;
}

export interface FoundMenu {
  menu: MenuThing;
  /** Dishes that were left out because there are too many. */
  leftOut: number;
}

export type ThingName = "product" | "menu";

/** What was found of the things that were asked for; a thing that is not on the page is absent. */
export interface FoundThings {
  product?: FoundProduct;
  menu?: FoundMenu;
}

/** Money as people write it, where its currency is known. */
export function moneyOf(amount: number, currency: string | null, written = ""): ThingMoney {
  const formatted = written === "" ? format(amount, currency) : written;
  return { amount, ...(currency ? { currency } : {}), formatted };
}

function format(amount: number, currency: string | null): string {
  const plain = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  if (currency === null) return plain;
  try {
    return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount);
  } catch {
    return `${currency} ${plain}`;
  }
}
