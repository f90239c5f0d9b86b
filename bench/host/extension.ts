/** The extension as it is packed, with a stopwatch around it. */
import { Session } from 'node:inspector/promises';
import type { ExtensionContext } from 'vscode';
import { blocks } from './blocks.ts';
import type { Profile } from './shared.ts';

const SAMPLE_US = 500;
/** This bundle lies beside the packed one; only that one's frames count. */
const OURS = /[\\/]measured[\\/]dist[\\/](?!bench\.js)/;

let wakeUps = 0;

/** Counts the callbacks of timers that are set from the extension's code. */
function countTimers(): void {
  for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
    const set = globalThis[name] as (run: (...args: unknown[]) => void, ...rest: unknown[]) => unknown;
    const counting = (run: (...args: unknown[]) => void, ...rest: unknown[]): unknown => {
      if (!OURS.test(new Error('who').stack ?? '')) return set(run, ...rest);
      return set(
        (...args: unknown[]) => {
          wakeUps++;
          run(...args);
        },
        ...rest,
      );
    };
    Object.assign(globalThis, { [name]: Object.assign(counting, set) });
  }
}

async function profile(): Promise<() => Promise<Profile>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  return async () => {
    const { profile: taken } = await session.post('Profiler.stop');
    session.disconnect();
    return blocks(taken, OURS);
  };
}

interface Extension {
  activate(context: ExtensionContext): void;
  deactivate(): Promise<void>;
}

let real: Extension | null = null;

export async function activate(context: ExtensionContext): Promise<void> {
  countTimers();
  const stop = await profile();
  const began = performance.now();
  const entry = './extension.js';
  real = (await import(entry)) as Extension;
  const loaded = performance.now();
  real.activate(context);
  const activated = performance.now();
  globalThis.autonomousBench = {
    activation: { loadMs: loaded - began, activateMs: activated - loaded, profile: await stop() },
    profile,
    wakeUps: () => wakeUps,
  };
}

export async function deactivate(): Promise<void> {
  await real?.deactivate();
}
