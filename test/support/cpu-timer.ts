/**
 * Milliseconds of CPU that this process takes from now on: what a test's own work costs, however many share the cores. For work
 * that must not grow beyond its input; a limit is at least ten times what the work takes.
 */
export function startCpuTimer(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
