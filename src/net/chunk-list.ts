// Bytes that arrive in pieces. Small pieces are copied together: a page sent byte by byte would otherwise cost a
// hundred times its size in objects.

const blockBytes = 64 * 1024;
const smallBytes = 8 * 1024;

export class ChunkList {
  private chunks: Buffer[] = [];
  private block: Buffer | null = null;
  private blockUsed = 0;
  private total = 0;

  add(chunk: Buffer): void {
    this.total += chunk.length;
    // The first piece is often the only one, and then needs no copy at all.
    if (chunk.length >= smallBytes || (this.chunks.length === 0 && this.block === null)) {
      this.closeBlock();
      this.chunks.push(chunk);
      return;
    }
    if (this.block === null || this.block.length - this.blockUsed < chunk.length) {
      this.closeBlock();
      this.block = Buffer.allocUnsafeSlow(blockBytes);
    }
    chunk.copy(this.block, this.blockUsed);
    this.blockUsed += chunk.length;
  }

  /** Everything in one piece; the list is empty afterwards. */
  take(): Buffer {
    this.closeBlock();
    const [first] = this.chunks;
    const whole = this.chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.chunks, this.total);
    this.chunks = [];
    this.total = 0;
    return whole;
  }

  private closeBlock(): void {
    if (this.block !== null) this.chunks.push(this.block.subarray(0, this.blockUsed));
    this.block = null;
    this.blockUsed = 0;
  }
}
