/** An action of another extension as a step of a task: the task waits for it, over a reload too, and goes on when it is there. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { whenState } from './state.ts';
import type { Place } from './world.ts';

const NAME = 'Loud';
const TASK = `name: ${NAME}
steps:
  - name: Shout
    action: acme.hand/shout
    params: { text: hello }
  - name: Tell
    action: notify
    params: { title: "Heard {{Shout.said}}" }
`;

export async function taskWaitsForItsAction(place: Place): Promise<void> {
  const { window, terminal, folder } = place;
  const file = join(folder, 'loud.task.yaml');
  writeFileSync(file, TASK);
  const taskIs = (status: string, reason: RegExp | null = null) =>
    whenState(place, `a task that is ${status}`, ({ tasks }) =>
      [...tasks.values()].some(
        (row) => row.name === NAME && row.status === status && (reason === null || reason.test(row.reason ?? '')),
      ),
    );
  const { code, printed } = await terminal.autonomous('task', 'new', file, '--start');
  assert.equal(code, 0, printed);
  await taskIs('PAUSED', /acme\.hand\/shout/);
  await window.reload();
  await window.door.command('acme.hand.register');
  await taskIs('COMPLETED');
  await window.notifications.saying('Heard HELLO');
}
