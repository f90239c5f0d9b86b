/** A damaged line in the middle of the log: told, and everything else is still there, to look at and to go on with. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { underWay } from '../../support/crashOutcome.ts';
import { CRASH_PROGRAMS, type CrashWorld, crashWorld } from '../../support/crashWorld.ts';
import { type Built, buildWith } from '../../support/plantedBug.ts';

let programs: Built;
beforeAll(async () => {
  programs = await buildWith(null, CRASH_PROGRAMS);
});
afterAll(() => programs[Symbol.dispose]());

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

describe('a damaged line', () => {
  test('of a note is told, and the board shows the rest', async () => {
    await using world = await crashWorld(programs);
    expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
    const { file, line } = damage(world, 'note_added');
    const { code, stdout, stderr } = await world.cli('board', '--json').exit;
    expect(code).toBe(0);
    expect(stderr).toContain(`${file}:${line}`);
    const { features } = JSON.parse(stdout) as Board;
    expect(features.map((card) => [card.name, card.lane])).toEqual([
      ['One', 'completed'],
      ['Two', 'completed'],
      ['Three', 'completed'],
    ]);
    expect((await world.state()).notes.size).toBe(2);
  });

  test('does not keep the job from going on', async () => {
    await using world = await crashWorld(programs);
    const point = { at: 'durable', type: 'phase_summarized', nth: 1 } as const;
    expect(await world.run(point)).toMatchObject({ signal: 'SIGKILL' });
    damage(world, 'note_added');
    expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
    const state = await world.state();
    expect([...state.jobs.values()]).toMatchObject([{ status: 'completed' }]);
    expect(underWay(world, state)).toEqual([]);
  });
});

test('a log that is gone is told, and nothing begins anew over the database that knows of it', async () => {
  await using world = await crashWorld(programs);
  expect(await world.run(null)).toMatchObject({ code: 0, stderr: '' });
  const events = join(world.places.stateDir, 'events');
  const database = join(world.places.stateDir, 'features.db');
  const before = readFileSync(database);
  const away = join(world.places.projectDir, '..', 'events');
  renameSync(events, away);
  for (const verb of [
    ['limits', '--daily', '3'],
    ['run', '--yes', 'More'],
  ]) {
    const { code, stderr } = await world.cli(...verb).exit;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the event log is gone') });
  }
  expect((await world.cli('jobs').exit).stderr).toContain('the event log is gone');
  expect(readFileSync(database).equals(before)).toBe(true);
  rmSync(events, { recursive: true, force: true });
  renameSync(away, events);
  expect([...(await world.state()).jobs.values()]).toMatchObject([{ status: 'completed' }]);
});
