/** How long the work keeps the main thread busy, in ms of its CPU: other processes and threads do not matter. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
