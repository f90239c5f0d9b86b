/** An action of another extension as a step of a task: the task waits for it, over a reload too, and goes on when it is there. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../support/bundle.ts';
import { whenState } from '../support/state.ts';
import { terminal } from '../support/terminal.ts';
import { inWindow } from '../support/window.ts';
import { newFolder, newProject, type Scenario, serve, type World } from '../support/world.ts';

const REGISTER = 'acme.actions.register';
const MANIFEST = {
  name: 'actions',
  publisher: 'acme',
  version: '1.0.0',
  engines: { vscode: '^1.100.0' },
  main: './actions.js',
  activationEvents: [`onCommand:${REGISTER}`],
  contributes: { commands: [{ command: REGISTER, title: 'Register' }] },
};
const TASK = `name: Loud
steps:
  - name: Shout
    action: acme.actions/shout
    params: { text: hello }
  - name: Tell
    action: notify
    params: { title: "Heard {{Shout.said}}" }
`;

/** Installed, as VS Code lists it. */
async function installSecondExtension(extensions: string): Promise<void> {
  const { publisher, name, version } = MANIFEST;
  const relativeLocation = `${publisher}.${name}-${version}`;
  const path = join(extensions, relativeLocation);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), JSON.stringify(MANIFEST));
  await bundle('actions', path);
  const identifier = { id: `${publisher}.${name}` };
  const listed = [{ identifier, version, location: { $mid: 1, path, scheme: 'file' }, relativeLocation, metadata: {} }];
  writeFileSync(join(extensions, 'extensions.json'), JSON.stringify(listed));
}

async function waitsForItsAction(shared: World): Promise<void> {
  const folder = newFolder(shared, 'actions');
  await installSecondExtension(join(folder, 'extensions'));
  const server = await serve(shared.editor, folder);
  try {
    await goesOnByItsAction({ ...shared, folder, url: server.url, env: server.env });
  } finally {
    await server.stop();
  }
}

async function goesOnByItsAction(world: World): Promise<void> {
  const project = await newProject(world);
  const file = join(newFolder(world, 'tasks'), 'loud.task.yaml');
  writeFileSync(file, TASK);
  const taskIs = (status: string, reason: RegExp | null = null) =>
    whenState(world, project, `a task that is ${status}`, ({ tasks }) =>
      [...tasks.values()].some((row) => row.status === status && (reason === null || reason.test(row.reason ?? ''))),
    );
  await inWindow(world, project, async (window) => {
    assert.ok(await window.active());
    // The window is the owner then.
    await window.command('autonomous.newProject', { name: 'loud', body: '## Goal\nBe heard.' });
    const { code, stdout } = await terminal(world, project).run('task', 'new', file, '--start');
    assert.equal(code, 0, stdout);
    await taskIs('PAUSED', /acme\.actions\/shout/);
    await window.reload();
    assert.ok(await window.active());
    await window.command(REGISTER);
    await taskIs('COMPLETED');
    await window.notified(/Heard HELLO/);
  });
}

export const actions: readonly Scenario[] = [
  {
    name: 'a task waits for an action of another extension, and goes on when that registers it',
    body: waitsForItsAction,
  },
];
