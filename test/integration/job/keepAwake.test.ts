/** A real job and a real program that keeps the machine awake: while work runs, and not while the job waits for a person. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { testPrograms } from '../../support/process/testPrograms.ts';
import { EngineWorld } from '../../support/world/engineWorld.ts';

/** In the place of GNOME's program, which is the only one that needs no running systemd. Each start writes the id of its `cat` into a file. */
const PLAYED = `#!/bin/sh
for cat in "$@"; do :; done
here=$(dirname "$0")
echo $$ >> "$here/starts"
exec "$cat"
`;

test.runIf(process.platform === 'linux')(
  'a job keeps the machine awake while it runs, not while it waits for an answer, and not after its end',
  async () => {
    const bin = realpathSync(mkdtempSync(join(inject('tempRoot'), 'awake-')));
    writeFileSync(join(bin, 'gnome-session-inhibit'), PLAYED);
    chmodSync(join(bin, 'gnome-session-inhibit'), 0o755);
    const starts = (): readonly string[] =>
      existsSync(join(bin, 'starts')) ? readFileSync(join(bin, 'starts'), 'utf8').trim().split('\n') : [];
    const alive = () =>
      starts().filter((pid) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout));
    const { fewPrograms } = await testPrograms(inject('tempRoot'));
    const env = { ...process.env, PATH: [bin, fewPrograms, '/bin'].join(':'), XDG_CURRENT_DESKTOP: 'GNOME' };
    await using world = await EngineWorld.open({ owner: { env, keepAwake: () => true } });
    expect(starts()).toEqual([]);
    expect(world.owner.atWork()).not.toHaveProperty('awake');

    const shown: unknown[] = [];
    world.owner.follow({ event: () => shown.push(world.owner.atWork().awake) });
    await world.submit({ gates: ['plan'] });
    await world.until('the machine is kept awake', () => alive().length === 1);
    await world.is('awaiting_steward');
    expect(shown).toContainEqual({ fault: null });
    expect(world.owner.atWork()).not.toHaveProperty('awake');
    world.clock.skip(61_000);
    await world.until('the machine may sleep', () => alive().length === 0);

    await world.approve('plan');
    await world.until('the machine is kept awake again', () => starts().length === 2);
    await world.is('completed');
    await world.close();
    await world.until('the machine may sleep at the end', () => alive().length === 0);
    expect(starts()).toHaveLength(2);
    expect(world.owner.problems).toEqual([]);
  },
);
