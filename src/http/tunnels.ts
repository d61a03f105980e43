// Pairs of connections that carry each other's bytes until one of them ends.
import type { Duplex } from "node:stream";

export function createTunnels() {
  const open = new Set<Duplex>();
  return {
    /** `head`: what came with the handshake. */
    join(outside: Duplex, inside: Duplex, head: Buffer): void {
      open.add(outside);
      const end = () => {
        open.delete(outside);
        outside.destroy();
        inside.destroy();
      };
      for (const side of [outside, inside]) side.on("error", end).on("close", end);
      inside.write(head);
      inside.pipe(outside).pipe(inside);
    },
    /** Closes what is still open, at once. */
    cut(): void {
      for (const outside of open) outside.destroy();
    },
  };
}
