// End tags of elements that were left empty because they were too deep: they close nothing.

export class SurplusEndTags {
  private readonly counts = new Map<string, number>();

  expect(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** True when such an end tag was still to come; it is then not expected any more. */
  take(name: string): boolean {
    const count = this.counts.get(name);
    if (count === undefined) return false;
    if (count === 1) this.counts.delete(name);
    else this.counts.set(name, count - 1);
    return true;
  }
}
