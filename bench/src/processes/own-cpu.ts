/** Returns user and system CPU seconds of this process and its threads since it started. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
