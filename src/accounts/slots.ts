// How many pages a team has in work. Beyond the limit work waits in the order it came; a signal ends the wait.

interface TeamSlots {
  active: number;
  waiting: (() => void)[];
}

export type Slots = ReturnType<typeof createSlots>;

export function createSlots({ limit }: { limit: number }) {
  const teams = new Map<string, TeamSlots>();

  function leave(teamId: string, slots: TeamSlots): void {
    const next = slots.waiting.shift();
    // The slot passes straight to the next in line, so a newcomer cannot slip in between.
    if (next) {
      next();
      return;
    }
    slots.active -= 1;
    if (slots.active === 0) teams.delete(teamId);
  }

  return {
    limit,

    count(teamId: string): { active: number; waiting: number } {
      const slots = teams.get(teamId);
      return { active: slots?.active ?? 0, waiting: slots?.waiting.length ?? 0 };
    },

    /** Resolves to the function that gives the slot back, or rejects with the signal's reason. */
    async enter(teamId: string, signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const slots = teams.get(teamId) ?? { active: 0, waiting: [] };
      teams.set(teamId, slots);
      if (slots.active < limit) {
        slots.active += 1;
      } else {
        await new Promise<void>((admit, refuse) => {
          const admitted = () => {
            signal.removeEventListener("abort", aborted);
            admit();
          };
          const aborted = () => {
            slots.waiting.splice(slots.waiting.indexOf(admitted), 1);
            refuse(signal.reason);
          };
          slots.waiting.push(admitted);
          signal.addEventListener("abort", aborted, { once: true });
        });
      }
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        leave(teamId, slots);
      };
    },
  };
}
