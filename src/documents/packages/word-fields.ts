// Fields in the text of Word files: their code, which is not shown, and their result, which may be a link.

interface OpenField {
  code: string;
  isCode: boolean;
  href: string | undefined;
}

export class FieldReader {
  private readonly open: OpenField[] = [];

  mark(kind: string | undefined): void {
    const last = this.open.at(-1);
    if (kind === "begin") this.open.push({ code: "", isCode: true, href: undefined });
    else if (kind === "end") this.open.pop();
    else if (kind === "separate" && last) {
      last.isCode = false;
      last.href = hyperlinkOf(last.code);
    }
  }

  /** Whether what comes now is code. */
  get isCode(): boolean {
    return this.open.some(({ isCode }) => isCode);
  }

  addCode(text: string): void {
    const last = this.open.at(-1);
    if (last) last.code += text;
  }

  get href(): string | undefined {
    return this.open.findLast(({ href }) => href !== undefined)?.href;
  }
}

/** Where a field leads that is a link. */
export function hyperlinkOf(code: string): string | undefined {
  const [, quoted, bare] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]+))/i.exec(code) ?? [];
  const place = /\\l\s+(?:"([^"]*)"|(\S+))/.exec(code);
  const anchor = place ? `#${place[1] ?? place[2]}` : "";
  return (quoted ?? bare ?? "") + anchor || undefined;
}
