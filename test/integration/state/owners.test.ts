import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/clock.ts';
import { openLog, type StateFolder, stateFolder } from '../../support/stateFolder.ts';

const script = fileURLToPath(new URL('../../support/ownerProcess.ts', import.meta.url));
const clock = systemClock();

interface Owner {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
}

/** Two owners that are killed and frozen at random; what they were told had been committed. */
async function fight(folder: StateFolder, ms: number, bug?: 'unfenced') {
  const acknowledged: string[] = [];
  const errors: string[] = [];
  let [kills, stops] = [0, 0];
  const start = (): Owner => {
    const args = [script, folder.root, Buffer.from(folder.key).toString('hex'), ...(bug === undefined ? [] : [bug])];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => errors.push(data.toString()));
    const gone = new Promise<void>((resolve) =>
      child.once('close', () => {
        acknowledged.push(
          ...text
            .slice(0, text.lastIndexOf('\n') + 1)
            .split('\n')
            .filter((line) => line !== ''),
        );
        resolve();
      }),
    );
    return { child, gone };
  };
  const owners = [start(), start()];
  const end = clock.monotonic() + ms;
  while (clock.monotonic() < end) {
    await clock.sleep(30 + Math.random() * 150);
    const index = Math.random() < 0.5 ? 0 : 1;
    const { child, gone } = owners[index]!;
    if (Math.random() < 0.25) {
      child.kill('SIGKILL');
      kills++;
      await gone;
      owners[index] = start();
    } else {
      child.kill('SIGSTOP');
      stops++;
      await clock.sleep(50 + Math.random() * 200);
      child.kill('SIGCONT');
    }
  }
  for (const { child } of owners) child.kill('SIGKILL');
  await Promise.all(owners.map(({ gone }) => gone));
  return { acknowledged, errors, kills, stops };
}

async function lost(folder: StateFolder, acknowledged: readonly string[]) {
  const { events, problems } = await (await openLog(folder)).read(null);
  const kept = events.map((event) =>
    event.type === 'limits_set' ? `${event.seq} ${event.epoch} ${event.limits.totalMicroUsd}` : '',
  );
  const present = new Set(kept);
  const seqs = events.map(({ seq }) => seq);
  return { missing: acknowledged.filter((line) => !present.has(line)), seqs, problems };
}

describe('two owners, SIGKILL and SIGSTOP', () => {
  it('lose no acknowledged commit in 10 seconds', async () => {
    using folder = stateFolder();
    const { acknowledged, errors, kills, stops } = await fight(folder, 10_000);
    const { missing, seqs, problems } = await lost(folder, acknowledged);
    expect(errors).toEqual([]);
    expect(missing).toEqual([]);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(problems.filter(({ what }) => what !== 'unfinished line')).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(new Set(acknowledged.map((line) => line.split(' ')[0])).size).toBe(acknowledged.length);
    expect(Math.min(kills, stops)).toBeGreaterThan(0);
    process.stdout.write(`owners: ${kills} kills, ${stops} stops, ${acknowledged.length} acknowledged, 0 lost\n`);
  });

  it('control: owners that do not look at the epochs do lose commits, so the test can fail', async () => {
    using folder = stateFolder();
    const { acknowledged } = await fight(folder, 2_500, 'unfenced');
    expect((await lost(folder, acknowledged)).missing.length).toBeGreaterThan(0);
  });
});
