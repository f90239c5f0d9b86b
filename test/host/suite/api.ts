/** The API of tasks, switched on and off by its setting. */
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { ConfigurationTarget, workspace } from 'vscode';
import { apiToken } from './cli.ts';
import { extension } from './extension.ts';
import { test } from './registry.ts';

const LOOK_MS = 250;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** null: nobody listens. */
async function status(url: string, token: string | null): Promise<number | null> {
  try {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return (await fetch(url, { headers })).status;
  } catch {
    return null; // Refused: that is the answer.
  }
}

async function until(url: string, wanted: number | null): Promise<void> {
  while ((await status(url, null)) !== wanted) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

async function isSwitched(): Promise<void> {
  await extension().activate();
  const settings = workspace.getConfiguration('autonomous');
  const port = await freePort();
  const tasks = `http://127.0.0.1:${port}/api/tasks/long-running`;
  assert.equal(await status(tasks, null), null);
  await settings.update('api.port', port, ConfigurationTarget.Global);
  await settings.update('api.enabled', true, ConfigurationTarget.Global);
  try {
    await until(tasks, 401);
    const token = await apiToken();
    assert.equal(await status(tasks, token), 200);
    assert.equal(await status(`${tasks}/nobody`, token), 404);
  } finally {
    await settings.update('api.enabled', undefined, ConfigurationTarget.Global);
    await settings.update('api.port', undefined, ConfigurationTarget.Global);
  }
  await until(tasks, null);
}

test('the API is there while its setting is on, for who has the token', isSwitched);
