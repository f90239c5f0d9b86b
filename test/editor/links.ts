/** Links show something and do nothing else, whatever they name. */
import assert from 'node:assert/strict';
import { eventFiles } from './finished.ts';
import { onlyJob, stateOf } from './state.ts';
import type { Place } from './world.ts';

/** Of the demo, merged. */
export async function linksShow(place: Place): Promise<void> {
  const { window, project } = place;
  const state = await stateOf(place);
  const feature = state.features.get(2);
  assert.ok(feature);
  const before = eventFiles(project);
  await window.door.link(`/job/${onlyJob(state)?.id}`);
  await window.tab('Autonomous Board').waitFor();
  await window.door.link('/feature/2');
  await window.boardSays(new RegExp(feature.description.slice(0, 40)));
  for (const wrong of ['/feature/99', '/job/none', '/approve/1', '/']) {
    await window.door.command('notifications.clearAll');
    await window.door.link(wrong);
    await window.notifications.saying('not in this workspace');
  }
  assert.deepEqual(eventFiles(project), before, 'no link has acted');
  await window.tidy();
}
