/** T3: an owner that hangs and wakes when another has long taken its place changes nothing that the other one does. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { errnoOf } from '../../src/shared/errors.ts';
import { underWay } from '../support/crash/crashOutcome.ts';
import { crashScenario } from '../support/crash/crashScenario.ts';
import { type CrashWorld, crashWorld, soon } from '../support/crash/crashWorld.ts';
import { type FreezePoint, freezeEnv, GO, HUNG } from '../support/crash/freezePoint.ts';
import { smallScenario } from '../support/demo/smallJob.ts';
import type { ShortProcess } from '../support/process/shortProcess.ts';
import { testPrograms } from '../support/process/testPrograms.ts';
import { planted } from '../support/suite/planted.ts';
import { type Built, buildWith, type PlantedBug } from '../support/suite/plantedBug.ts';
import { amount, figure, LONG, PATIENCE_MS, PLANTED, randomOf, SEED } from '../support/suite/proof.ts';

const PROGRAMS = ['test/support/crash/crashOwner.ts', 'test/support/crash/crashWorker.ts'];
const TIMES = amount({ short: 1, long: 5 });
/** Of a model's answer: the first owner is to freeze soon, what the second one did is to be there for a while. */
const QUICK_MS = 20;
const SLOW_MS = 500;
const RIGHT = 'one end\n';
/** The kept work of an attempt that others come after, or of the small job's last one. */
const KEPT = PLANTED ? 3 : 2;

const NOT_ASKED: PlantedBug = {
  file: 'src/engine/workspace/ownerLock.ts',
  find: 'if (claim === null || isOfCopy(claim)) return;',
  put: 'return;',
};
const NOT_FENCED: PlantedBug = {
  file: 'src/app/open/stateFiles.ts',
  find: "checkEpoch(join(stateDir, 'epoch'), epoch, nodeFiles)",
  put: 'void [checkEpoch, join, stateDir, epoch]',
};

/** A process that hangs ends with no test by itself. */
const begun: ShortProcess[] = [];
afterEach(() => {
  for (const each of begun.splice(0)) each.kill('SIGKILL');
});

const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? '';

async function frozen(world: CrashWorld, how: FreezePoint['how'], nth = 1): Promise<ShortProcess> {
  const folder = world.env['TMPDIR'] ?? '';
  const first = world.start(true, freezeEnv({ how, folder, nth }));
  begun.push(first);
  const early = first.exit.then((exit) => {
    throw new Error(`it did not freeze: ${JSON.stringify(exit)}`);
  });
  const isFrozen = (): boolean => (how === 'main' ? existsSync(join(folder, HUNG)) : stateOf(first.pid) === 'T');
  await Promise.race([soon('its freezing', isFrozen, PATIENCE_MS), early]);
  early.catch(() => undefined); // it ends later
  return first;
}

interface Woken {
  /** Of the second owner. */
  readonly code: number | null;
  /** Whether the first one edited a file after the second one had begun. A commit of the second one need not hold that edit. */
  readonly edited: boolean;
  /** How the first one ended. */
  readonly ended: string | number | null;
  readonly merged: string;
  readonly underWay: readonly string[];
  /** Files of kept work that are not as the second one left them. */
  readonly altered: readonly string[];
}

function keptFiles(world: CrashWorld): Map<string, string> {
  const folder = join(world.places.stateDir, 'attempts');
  return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

/** Null: there is no such file. While a tree is restored, a file of it is gone for a moment. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** It wakes when the second one has made the same edit, in the same clone. */
async function wokenAtWork(by: Built, how: 'process' | 'main'): Promise<Woken> {
  await using world = await crashWorld(by, QUICK_MS, PLANTED ? crashScenario : smallScenario);
  const first = await frozen(world, how);
  const [job] = (await world.state()).jobs.values();
  const file = join(job?.clone_dir ?? '', 'one.txt');
  const before = readFileSync(file, 'utf8');
  world.delayMs = SLOW_MS;
  const second = world.start(true, { TAKE_OVER: 'true' });
  begun.push(second);
  await soon('the same edit', () => before !== RIGHT && textOf(file) === RIGHT, PATIENCE_MS);
  // The second one does not continue before the first one has edited or ended, however slow that is.
  const isOver = Promise.withResolvers<void>();
  world.held = isOver.promise;
  if (how === 'main') writeFileSync(join(world.env['TMPDIR'] ?? '', GO), '');
  else first.kill('SIGCONT');
  const ownEdit = soon('its own edit', () => ![RIGHT, null].includes(textOf(file)), PATIENCE_MS);
  const edited = await Promise.race([first.exit.then(() => false), ownEdit]);
  world.delayMs = 0;
  isOver.resolve();
  const { code } = await second.exit;
  first.kill('SIGKILL');
  const { code: itsCode, signal } = await first.exit;
  const merged = world.git('show', 'main:one.txt');
  const left = underWay(world, await world.state());
  return { code, edited, ended: signal ?? itsCode, merged, underWay: left, altered: [] };
}

/** Its claim was removed by hand, as one may where it cannot be seen; it wakes in the middle of keeping its work. */
async function wokenAtKeeping(by: Built, nth: number): Promise<Woken> {
  await using world = await crashWorld(by, QUICK_MS, PLANTED ? crashScenario : smallScenario);
  const first = await frozen(world, 'kept', nth);
  rmSync(join(world.places.stateDir, 'epoch'), { recursive: true });
  world.delayMs = 0;
  const { code } = await world.start(true, { TAKE_OVER: 'true' }).exit;
  const before = keptFiles(world);
  first.kill('SIGCONT');
  const { code: itsCode, signal } = await first.exit;
  const after = keptFiles(world);
  const altered = [...before.keys()].filter((name) => before.get(name) !== after.get(name));
  const merged = world.git('show', 'main:one.txt');
  const left = underWay(world, await world.state());
  return { code, edited: false, ended: signal ?? itsCode, merged, underWay: left, altered };
}

describe('an owner that hangs, whose place is taken', () => {
  const sums = { takeovers: 0, doubled: 0, altered: 0 };
  afterAll(() => {
    const tell = (what: string, value: number, aim: { atLeast: number } | { atMost: number } | null): void =>
      figure({ method: 'T3', what, value, unit: '', aim });
    tell('owners that hang, with a started effect, replaced by another one', sums.takeovers, { atLeast: 3 });
    tell('late effects of replaced owners that were merged', sums.doubled, { atMost: 0 });
    tell('files of kept work that they replaced late', sums.altered, { atMost: 0 });
  });

  // In the short form the one whose thread works on meanwhile.
  test.each(LONG ? (['process', 'main'] as const) : (['main'] as const))(
    'its %s being frozen, is ended before the other one works',
    async (how) => {
      for (let at = 0; at < TIMES; at++) {
        const woken = await wokenAtWork(await testPrograms(inject('tempRoot')), how);
        sums.takeovers++;
        sums.doubled += woken.merged === RIGHT && !woken.edited ? 0 : 1;
        expect(woken).toEqual({
          code: 0,
          edited: false,
          ended: 'SIGKILL',
          merged: RIGHT,
          underWay: [],
          altered: [],
        });
      }
    },
  );

  test(`its claim being removed by hand, replaces no work that was kept (seed ${SEED})`, async () => {
    const random = randomOf(SEED);
    for (let at = 0; at < TIMES; at++) {
      const nth = LONG ? 1 + random(6) : KEPT;
      const woken = await wokenAtKeeping(await testPrograms(inject('tempRoot')), nth);
      sums.takeovers++;
      sums.altered += woken.altered.length;
      expect(woken, `in file ${nth}`).toEqual({
        code: 0,
        edited: false,
        ended: 3,
        merged: RIGHT,
        underWay: [],
        altered: [],
      });
    }
  });

  planted('no check whether the last owner has ended', async () => {
    using wrong = await buildWith(NOT_ASKED, PROGRAMS);
    expect((await wokenAtWork(wrong, 'main')).edited).toBe(true);
  });

  planted('kept work is written without a look at the epochs', async () => {
    using wrong = await buildWith(NOT_FENCED, PROGRAMS);
    expect((await wokenAtKeeping(wrong, KEPT)).altered).not.toEqual([]);
  });
});
