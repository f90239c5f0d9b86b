/** A damaged line in the middle of the log: told, and everything else is still there, to look at and to go on with. A log that is gone is told too. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { underWay } from '../../support/crash/crashOutcome.ts';
import { oneFile } from '../../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld } from '../../support/crash/crashWorld.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

/** Flips one byte in the first line of that type; gives the file and the line's number. */
function damage(world: CrashWorld, type: string): { file: string; line: number } {
  const folder = join(world.places.stateDir, 'events');
  const file = readdirSync(folder)[0] ?? '';
  const bytes = readFileSync(join(folder, file));
  const at = bytes.indexOf(`"type":"${type}"`) + 9;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(join(folder, file), bytes);
  return { file, line: bytes.subarray(0, at).filter((byte) => byte === 10).length + 1 };
}

interface Board {
  readonly features: readonly { readonly name: string; readonly lane: string }[];
}

test('a damaged line is told, and the job goes on and is shown without it; a log that is gone is told, and nothing begins anew', async () => {
  await using world = await crashWorld(await testPrograms(inject('tempRoot')), 0, oneFile);
  expect(await world.run({ at: 'durable', type: 'phase_summarized', nth: 1 })).toMatchObject({ signal: 'SIGKILL' });
  expect((await world.state()).notes.size).toBe(1);
  const { file, line } = damage(world, 'note_added');
  expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
  const state = await world.state();
  expect([...state.jobs.values()]).toMatchObject([{ status: 'completed' }]);
  expect(underWay(world, state)).toEqual([]);
  expect(state.notes.size).toBe(0);
  const { code, stdout, stderr } = await world.cli('board', '--json').exit;
  expect(code).toBe(0);
  expect(stderr).toContain(`${file}:${line}`);
  const { features } = JSON.parse(stdout) as Board;
  expect(features.map((card) => [card.name, card.lane])).toEqual([['One', 'completed']]);

  const events = join(world.places.stateDir, 'events');
  const database = join(world.places.stateDir, 'features.db');
  const before = readFileSync(database);
  const away = join(world.places.projectDir, '..', 'events');
  renameSync(events, away);
  for (const verb of [
    ['limits', '--daily', '3'],
    ['run', '--yes', 'More'],
  ]) {
    const refused = await world.cli(...verb).exit;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the event log is missing') });
  }
  expect((await world.cli('jobs').exit).stderr).toContain('the event log is missing');
  expect(readFileSync(database).equals(before)).toBe(true);
  rmSync(events, { recursive: true, force: true });
  renameSync(away, events);
  expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'completed' }]);
});

/** Takes the last lines of the newest segment away, as a partial backup does. */
function loseTail(world: CrashWorld, lines: number): void {
  const folder = join(world.places.stateDir, 'events');
  const epoch = (file: string): number => Number(file.split('-')[0]);
  const file = join(
    folder,
    readdirSync(folder)
      .sort((a, b) => epoch(a) - epoch(b))
      .at(-1) ?? '',
  );
  const all = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, `${all.slice(0, -1 - lines).join('\n')}\n`);
}

test('a log that lost its end is told, nothing continues it, and doctor --restore takes over what the database holds', async () => {
  await using world = await crashWorld(await testPrograms(inject('tempRoot')), 0, oneFile);
  expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
  const whole = await world.state();
  loseTail(world, 3);
  const database = readFileSync(join(world.places.stateDir, 'features.db'));

  for (const verb of [
    ['note', '--global', 'mind this'],
    ['run', '--yes', 'More'],
  ]) {
    const refused = await world.cli(...verb).exit;
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('events were committed') });
    expect(refused.stderr).toContain('autonomous doctor --restore');
  }
  expect((await world.cli('jobs').exit).stderr).toContain('the event log ends at event');
  expect((await world.cli('doctor').exit).stdout).toMatch(/MISSING {2}state: the event log ends at event \d+/);
  expect(readFileSync(join(world.places.stateDir, 'features.db')).equals(database)).toBe(true);

  const restored = await world.cli('doctor', '--restore').exit;
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain(
    'restored. A copy of the database is kept as .autonomous/features.db.restored-1.bak',
  );
  const copy = readFileSync(join(world.places.stateDir, 'features.db.restored-1.bak'));
  expect(copy.equals(database)).toBe(true);
  const state = await world.state();
  expect([...state.jobs.values()]).toEqual([...whole.jobs.values()]);
  expect([...state.spends.values()]).toEqual([...whole.spends.values()]);
  expect(await world.cli('note', '--global', 'mind this').exit).toMatchObject({ code: 0, stderr: '' });
  expect((await world.cli('doctor', '--restore').exit).stdout).toContain('Nothing to restore');
});
