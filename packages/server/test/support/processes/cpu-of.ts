/** Options of a test that limits time: a busy machine may slow down one attempt, and a fault slows down all three. */
export const TIMED = { retry: 2 };

/** Returns the CPU time of the main thread for some work in ms, independent of other processes and threads. */
export async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
