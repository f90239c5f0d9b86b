/** What a person reads of the events of projects, one line each. */
import { expect, test } from 'vitest';
import { makeContext } from '../../../../../src/terminal/screen/context.ts';
import { eventLine } from '../../../../../src/terminal/screen/run/eventLine.ts';
import { terminalWorld } from '../../../../support/world/terminalWorld.ts';

test('projects, and what is said to and by them, in lines that drive no terminal', async () => {
  const world = await terminalWorld();
  const { store, deps } = world;
  const context = makeContext(deps, {});
  const lines: string[] = [];
  store.subscribe((event) => {
    const line = eventLine(event, store.state, context);
    if (line !== null) lines.push(line.text);
  });
  await world.run('project', 'new', 'api', 'x');
  await world.run('project', 'new', 'app', 'y');
  await world.run('project', 'send', 'api', 'How', 'far?');
  const said = {
    project_id: 'api',
    direction: 'out',
    sender: 'project',
    relayed_from: null,
    session_id: null,
  } as const;
  await store.commit({
    type: 'message_sent',
    message: { ...said, id: 9, text: `It is\n\u001b[2Jgone ${'x'.repeat(200)}`, concerns: 'app' },
  });
  await world.run('project', 'send', 'app', '--relay', '9');
  await world.run('project', 'limits', 'api', '--daily', '1');
  await world.run('project', 'suspend', 'api', '--reason', 'later');
  const words = `It is <U+001B>[2Jgone ${'x'.repeat(137)}…`;
  expect(lines).toEqual([
    'Project api created',
    'Project app created',
    'the steward -> api: How far?',
    `api (concerns app): ${words}`,
    `api -> app: ${words}`,
    'Project api redefined (the steward)',
    'Project api suspended: later',
  ]);
});
