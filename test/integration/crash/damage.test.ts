/** A damaged line in the middle of the log: told, and everything else is still there, to look at and to go on with. A log that is gone is told too. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { underWay } from '../../support/crashOutcome.ts';
import { oneFile } from '../../support/crashScenario.ts';
import { type CrashWorld, crashWorld } from '../../support/crashWorld.ts';
import { testPrograms } from '../../support/testPrograms.ts';

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
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('the event log is gone') });
  }
  expect((await world.cli('jobs').exit).stderr).toContain('the event log is gone');
  expect(readFileSync(database).equals(before)).toBe(true);
  rmSync(events, { recursive: true, force: true });
  renameSync(away, events);
  expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'completed' }]);
});
