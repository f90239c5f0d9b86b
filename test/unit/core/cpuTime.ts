/** Milliseconds of processor time that this takes, the second time: a busy machine does not make a test slow. */
export function cpuTime(run: () => void): number {
  run();
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
