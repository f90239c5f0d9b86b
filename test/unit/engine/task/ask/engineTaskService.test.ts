/** Which engine the API speaks to when owners come and go, and that it answers with what was changed. */
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Engine, EngineListener } from '../../../../../src/engine/state/api.ts';
import { EngineTaskService } from '../../../../../src/engine/task/ask/engineTaskService.ts';
import { failure } from '../../../../../src/shared/errors.ts';
import type { TaskRow } from '../../../../../src/shared/task/tasks.ts';
import type { Event } from '../../../../../src/shared/workspace/events.ts';
import { emptyState } from '../../../../../src/shared/workspace/state.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

function fakeEngine() {
  const listeners = new Set<EngineListener>();
  const state = emptyState();
  const engine = {
    state,
    request: async () => null,
    follow: (listener: EngineListener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  } as unknown as Engine;
  const each = (say: (listener: EngineListener) => void): void => {
    for (const listener of [...listeners]) say(listener);
  };
  return {
    engine,
    state,
    followers: () => listeners.size,
    event: () => each((to) => to.event?.({} as Event)),
    lose: () => each((to) => to.lost?.('the owner ended')),
  };
}

function world(keeps: boolean) {
  const owners = [fakeEngine(), fakeEngine()] as const;
  const reached: number[] = [];
  const at = { owner: 0, away: 0 };
  const reach = async (): Promise<Engine> => {
    reached.push(at.owner);
    if (at.away-- > 0) throw failure('OWNER_UNREACHABLE', 'nobody');
    return (owners[at.owner] ?? owners[1]).engine;
  };
  const clock = new FakeClock({ skipSleeps: true });
  const service = new EngineTaskService({ clock, reach, keeps, failed: (thrown) => expect.fail(String(thrown)) });
  const lose = async (): Promise<void> => {
    Object.assign(at, { owner: 1, away: 2 });
    owners[0].lose();
    for (let n = 0; n < 20; n++) await setImmediate();
  };
  return { owners, reached, service, lose };
}

it('looks for the next owner until there is one, where it keeps one or somebody listens, and else when it is asked', async () => {
  const keeping = world(true);
  await keeping.service.state();
  await keeping.lose();
  expect(keeping.reached).toEqual([0, 1, 1, 1]);
  expect(keeping.owners.map(({ followers }) => followers())).toEqual([0, 1]);

  const idle = world(false);
  await idle.service.state();
  await idle.lose();
  expect(idle.reached).toEqual([0]);

  const heard: number[] = [];
  const listening = world(false);
  listening.service.follow(() => heard.push(listening.reached.length));
  await listening.service.state();
  await listening.lose();
  expect(heard).toEqual([1, 4]);
  listening.service.close();
  expect(listening.owners.map(({ followers }) => followers())).toEqual([0, 0]);
});

it('answers a change when what it follows has it', async () => {
  const { owners, service } = world(false);
  const [{ state, event }] = owners;
  const task = (status: TaskRow['status']) => state.tasks.set('t', { id: 't', status } as TaskRow);
  task('RUNNING');
  const done: string[] = [];
  const pausing = service.pause('t', 'lunch').then(() => done.push(state.tasks.get('t')?.status ?? ''));
  for (let n = 0; n < 5; n++) await setImmediate();
  event();
  expect(done).toEqual([]);
  task('PAUSED');
  event();
  await pausing;
  expect(done).toEqual(['PAUSED']);
});
