// Values of variables at an element, and the containers around it: both depend on rules for what is around the element.
import type { AnyNode, Element } from "domhandler";
import { attribute, isElement, orderOf } from "../../html/index.ts";
import { lengthOf } from "./css-values.ts";
import type { StyleSheets } from "./rule-index.ts";
import { holdsInContainer } from "./style-conditions.ts";

const variable = /var\(\s*(--[\w-]{1,80})\s*(?:,((?:[^()]|\([^()]*\)){0,200}))?\)/g;
const maxDepth = 6;
const maxAround = 100;
const longValue = 300;

/** The bodies of rules that hold for an element, the strongest last; its own style attribute comes after them. */
function bodiesOf(sheets: StyleSheets, element: Element): string[] {
  const matching = sheets.settings.filter(({ selector }) => selector?.matches(element));
  matching.sort(
    (one, other) => (one.selector?.specificity ?? 0) - (other.selector?.specificity ?? 0) || one.order - other.order,
  );
  return [...matching.map(({ body }) => body), attribute(element, "style") ?? ""];
}

function* around(element: Element): Generator<Element> {
  let count = 0;
  for (let place: AnyNode | null = element; place && isElement(place) && count < maxAround; place = place.parent) {
    count += 1;
    yield place;
  }
}

export class PageVariables {
  private readonly sheets: StyleSheets;
  /** By the order of elements. */
  private readonly known: Map<string, string>[] = [];

  constructor(sheets: StyleSheets) {
    this.sheets = sheets;
  }

  /** Puts values in the place of variables; one that is not set stays as it is written. */
  replaceIn(value: string, element: Element, depth = 0): string {
    if (depth > maxDepth || !value.includes("var(")) return value;
    const replaced = value.replace(
      variable,
      (all, name: string, otherwise?: string) => this.valueOf(name, element) ?? otherwise ?? all,
    );
    return replaced === value ? value : this.replaceIn(replaced.slice(0, longValue), element, depth + 1);
  }

  valueOf(name: string, element: Element): string | null {
    for (const place of around(element)) {
      const own = this.setAt(place).get(name);
      if (own !== undefined) return this.replaceIn(own, place, maxDepth - 1);
    }
    const ofPage = this.sheets.replace(`var(${name})`);
    return ofPage.startsWith("var(") ? null : ofPage;
  }

  private setAt(element: Element): Map<string, string> {
    const known = this.known[orderOf(element)];
    if (known) return known;
    const values = new Map<string, string>();
    for (const body of bodiesOf(this.sheets, element)) {
      if (!body.includes("--")) continue;
      for (const [, name = "", value = ""] of body.matchAll(/(--[\w-]{1,80})\s*:\s*([^;{}]{1,200})/g))
        values.set(name, value.trim());
    }
    this.known[orderOf(element)] = values;
    return values;
  }
}

interface Container {
  names: string[];
  width: number;
}

export class PageContainers {
  private readonly sheets: StyleSheets;
  private readonly variables: PageVariables;

  constructor(sheets: StyleSheets, variables: PageVariables) {
    this.sheets = sheets;
    this.variables = variables;
  }

  /** Whether the conditions of containers, one a line, hold for what is around an element. */
  holds(element: Element, conditions: string): boolean {
    return conditions.split("\n").every((condition) => this.holdsOne(element, condition));
  }

  private holdsOne(element: Element, condition: string): boolean {
    const [, name = "", query = ""] = /^(?:((?!not\b)[\w-]+)\s+)?(.*)$/s.exec(condition) ?? [];
    const { parent } = element;
    if (!parent || !isElement(parent)) return false;
    const [, variable, value] = /^style\(\s*(--[\w-]+)\s*(?::\s*(.*?))?\s*\)$/s.exec(query) ?? [];
    if (variable !== undefined) {
      const own = this.variables.valueOf(variable, parent);
      return value === undefined ? own !== null : own === value;
    }
    for (const place of around(parent)) {
      const container = this.containerAt(place);
      if (container !== null && (name === "" || container.names.includes(name)))
        return holdsInContainer(query, container.width);
    }
    return false;
  }

  private containerAt(element: Element): Container | null {
    let container: Container | null = null;
    let width = windowWidth;
    for (const body of bodiesOf(this.sheets, element)) {
      const [, own] = /(?:^|[;{\s])(?:max-)?(?:width|inline-size)\s*:\s*([^;}]+)/.exec(body) ?? [];
      const length = own === undefined || own.includes("%") ? null : lengthOf(own.trim());
      if (length !== null) width = length;
      const [, names = "", type] = /(?:^|[;{\s])container\s*:\s*([^;}/]+)(?:\/\s*([\w-]+))?/.exec(body) ?? [];
      const [, named = names] = /container-name\s*:\s*([^;}]+)/.exec(body) ?? [];
      const [, kind = type] = /container-type\s*:\s*([\w-]+)/.exec(body) ?? [];
      if (kind !== undefined && kind !== "normal") container = { names: named.trim().split(/\s+/), width };
      else if (container !== null && named !== "") container.names = named.trim().split(/\s+/);
    }
    return container === null ? null : { ...container, width };
  }
}

const windowWidth = 1264;
