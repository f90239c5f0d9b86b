/** Folders in which nothing can be done, or not at once: each says why, and nothing is written into it. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { finishedProject, scenarioFile, stateFiles } from '../support/finished.ts';
import { onlyJob, whenAsked, whenState } from '../support/state.ts';
import { terminal } from '../support/terminal.ts';
import { inWindow } from '../support/window.ts';
import { newFolder, newProject, type Scenario, serve, type World, workspaceFile } from '../support/world.ts';

async function refuses(world: World, target: string | null, why: RegExp): Promise<void> {
  await inWindow(world, target, async (window) => {
    await window.brief('Write a few notes.');
    await window.notified(why);
  });
}

async function severalFolders(world: World): Promise<void> {
  const [one, two] = [await newProject(world, 'one'), await newProject(world, 'two')];
  const workspace = workspaceFile(world, [{ path: one }, { path: two }]);
  await inWindow(world, workspace, async (window) => {
    await Promise.all([window.brief('Write a few notes.'), window.pick('two')]);
    await whenAsked(world, two, 'plan');
    await window.reload();
    await window.boardSays(/Simulated run/);
    await Promise.all([window.command('autonomous.chooseFolder'), window.pick('one')]);
    const scenario = scenarioFile(world, 1_000);
    const owner = terminal(world, one).start(
      'run',
      '--provider',
      'simulated',
      '--scenario',
      scenario,
      '--yes',
      'Notes.',
    );
    await window.boardSays(/another window or terminal/i);
    await owner.kill();
  });
  assert.ok(!existsSync(join(dirname(workspace), '.autonomous')));
}

async function restricted(world: World): Promise<void> {
  const folder = newFolder(world, 'restricted');
  const server = await serve(world.editor, folder, { workspaceTrust: true });
  try {
    const own: World = { ...world, url: server.url, env: server.env };
    const project = await finishedProject(own);
    const before = stateFiles(project);
    await inWindow(own, project, async (window) => {
      await window.boardSays(/Restricted Mode/);
      await window.boardSays(/First note/);
      await window.brief('Write a few notes.');
      await window.notified(/Restricted Mode/);
    });
    assert.deepEqual(stateFiles(project), before);
  } finally {
    await server.stop();
  }
}

async function below(world: World): Promise<void> {
  const top = await newProject(world);
  await inWindow(world, join(top, 'bin'), async (window) => {
    await window.brief('Write a few notes.');
    await whenAsked(world, top, 'plan');
    assert.equal(basename(top), 'sheet');
    assert.ok(!existsSync(join(top, 'bin', '.autonomous')), 'the state lies at the top of the repository');
    const state = await whenState(world, top, 'a job', (now) => onlyJob(now) !== undefined);
    assert.equal(state.jobs.size, 1);
  });
}

export const folders: readonly Scenario[] = [
  { name: 'several folders: asked once, remembered, chosen anew, and watched', body: severalFolders },
  { name: 'Restricted Mode shows the state and runs nothing', body: restricted },
  { name: 'no folder says so', body: (world) => refuses(world, null, /Open a folder with a git repository/) },
  {
    name: 'a virtual workspace says so',
    body: (world) => refuses(world, 'vscode-userdata:/User', /a folder on this machine/),
  },
  { name: 'a folder below the top of its repository works at the top', body: below },
];
