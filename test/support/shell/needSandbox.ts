import { systemClock } from '../../../src/adapters/clock.ts';
import { createCommandRunner } from '../../../src/adapters/shell/commandRunner.ts';

let known: Promise<string | null> | null = null;

async function missing(): Promise<string | null> {
  const runner = createCommandRunner({ clock: systemClock() });
  try {
    const { state, diagnostics } = await runner.probe();
    if (state.mode === 'sandboxed') return null;
    const faults = diagnostics.filter(({ ok }) => !ok);
    return faults.map(({ detail, fix }) => `${detail}: ${fix}`).join('; ') || state.detail;
  } finally {
    await runner.close();
  }
}

/** To be called before anything is begun by whoever does what hostile text says: without a sandbox it would do so to this machine. */
export async function needSandbox(): Promise<void> {
  known ??= missing();
  const detail = await known;
  if (detail !== null) throw new Error(`This test obeys hostile text, and begins nothing without a sandbox: ${detail}`);
}
