// Fields in the text of an old Word file: their code, which is not shown, and their result, which may be a link.
const begin = 0x13;
const separate = 0x14;

interface OpenField {
  code: string;
  isCode: boolean;
  href: string | undefined;
}

export class FieldReader {
  private readonly open: OpenField[] = [];

  mark(code: number): void {
    const last = this.open[this.open.length - 1];
    if (code === begin) this.open.push({ code: "", isCode: true, href: undefined });
    else if (code === separate && last) {
      last.isCode = false;
      last.href = linkOf(last.code);
    } else this.open.pop();
  }

  /** Whether what comes now is code. */
  get isCode(): boolean {
    return this.open.some(({ isCode }) => isCode);
  }

  addCode(text: string): void {
    const last = this.open[this.open.length - 1];
    if (last) last.code += text;
  }

  get href(): string | undefined {
    return this.open.findLast(({ href }) => href !== undefined)?.href;
  }
}

function linkOf(code: string): string | undefined {
  const [, url] = /^\s*HYPERLINK\s+"([^"]+)"/i.exec(code) ?? [];
  const [, place] = /\\l\s+"([^"]+)"/.exec(code) ?? [];
  return url ? url + (place ? `#${place}` : "") : place ? `#${place}` : undefined;
}
