/** Links show something and do nothing else, whatever they name. */
import assert from 'node:assert/strict';
import { finishedProject, stateFiles } from '../support/finished.ts';
import { onlyJob, stateOf } from '../support/state.ts';
import { inWindow } from '../support/window.ts';
import type { Scenario, World } from '../support/world.ts';

async function linksShow(world: World): Promise<void> {
  const project = await finishedProject(world);
  const job = onlyJob(await stateOf(world, project));
  const before = stateFiles(project);
  await inWindow(world, project, async (window) => {
    await window.link(`/job/${job?.id}`);
    await window.boardTab().waitFor();
    await window.link('/feature/2');
    await window.boardSays(/Write the second note/);
    for (const wrong of ['/feature/99', '/job/none', '/approve/1', '/']) {
      await window.command('notifications.clearAll');
      await window.link(wrong);
      await window.notified(/not in this workspace/);
    }
  });
  assert.deepEqual(stateFiles(project), before);
}

export const links: readonly Scenario[] = [
  { name: 'a link to a job or feature shows it, a wrong one says so, and none acts', body: linksShow },
];
