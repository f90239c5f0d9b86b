/** Runs one command to its end and keeps its output. */
import type { ChildProcess } from 'node:child_process';
import type { CommandResult } from '../../../engine/session/commandPorts.ts';
import type { Clock } from '../../../shared/clock.ts';
import { processSystem } from '../../platform/process/processSystem.ts';
import type { OutputFile } from '../session/outputFile.ts';
import { createOutputBuffer } from './outputBuffer.ts';
import { type Ended, type Launch, startProcess } from './processLife.ts';

export interface OneShot extends Launch {
  readonly maxOutputBytes: number;
  /** Receives the whole output. */
  readonly whole?: OutputFile | null;
}

export interface Outcome {
  /** 128 + signal number if a signal ended it; null if this program ended it, or if it never started. */
  readonly exitCode: number | null;
  readonly ended: Ended;
  readonly output: string;
  /** See CommandResult. */
  readonly notes?: readonly string[];
  readonly kept?: CommandResult['kept'];
}

/** Milliseconds in which output may still arrive after the process has ended. */
const DRAIN_MS = 1_000;

/** Resolves when the streams end, or after their time limit. Call while the process lives. */
export function drain(clock: Clock): (child: ChildProcess) => Promise<void> {
  return (child) =>
    new Promise((resolve) => {
      if (child.stdout?.closed !== false && child.stderr?.closed !== false) return resolve();
      const cancel = clock.timer(DRAIN_MS, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
      child.once('close', () => {
        cancel();
        resolve();
      });
    });
}

/** Never rejects because of the command. */
export async function supervise(launch: OneShot, clock: Clock): Promise<Outcome> {
  await processSystem.ready(clock);
  if (launch.signal.aborted) return { exitCode: null, ended: 'aborted', output: '' };
  const output = createOutputBuffer(launch.maxOutputBytes);
  const life = startProcess(launch, 'ignore', clock, drain(clock));
  const take = (chunk: Buffer): void => {
    output.add(chunk);
    launch.whole?.add(chunk);
    life.heard(chunk.length);
  };
  life.child.stdout?.on('data', take);
  life.child.stderr?.on('data', take);
  const { exitCode, ended, why } = await life.over;
  const kept = launch.whole?.end();
  return { exitCode, ended, output: why === '' ? output.text() : why, ...(kept === undefined ? {} : { kept }) };
}
