interface HeldLease {
  owner: string;
  claims: number;
}

/** By holder and turn, in batches that one statement takes. */
export function groupLeases<Lease extends HeldLease>(leases: readonly Lease[], batch: number): Lease[][] {
  const groups = new Map<string, Lease[]>();
  const full: Lease[][] = [];
  for (const lease of leases) {
    const name = `${lease.claims} ${lease.owner}`;
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(lease);
    if (group.length < batch) continue;
    full.push(group);
    groups.delete(name);
  }
  return [...full, ...groups.values()];
}
