/**
 * A second extension, installed beside the one under test. It opens a loopback port that takes commands from the runner, and writes
 * where into the folder AUTONOMOUS_TEST_DOORS, a file for each extension host; without that folder it opens none. On command it registers an action for the steps of tasks.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands, type ExtensionContext, env, extensions, Uri, workspace } from 'vscode';
import { messageOf } from '../../../src/shared/errors.ts';
import type { AutonomousApi } from '../../../src/vscode/task/autonomous.d.ts';
import '../suite/all.ts';
import { runTest } from '../suite/registry.ts';
import type { Answer, Errand } from './errand.ts';

async function carryOut(errand: Errand): Promise<unknown> {
  const extension = extensions.getExtension('autonomous.autonomous');
  switch (errand.kind) {
    case 'command':
      return commands.executeCommand(errand.id, ...errand.args);
    case 'link': {
      const uri = Uri.from({ scheme: env.uriScheme, authority: 'autonomous.autonomous', path: errand.path });
      return commands.executeCommand('vscode.open', uri);
    }
    case 'activate':
      await extension?.activate();
      return extension?.isActive ?? false;
    case 'isActive':
      return extension?.isActive ?? false;
    case 'folders':
      return workspace.workspaceFolders?.length ?? 0;
    case 'test':
      return runTest(errand.name);
  }
}

async function body(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

async function answer(request: IncomingMessage): Promise<Answer> {
  try {
    // A command may return what JSON cannot hold: only data is returned.
    return { value: (await carryOut(JSON.parse(await body(request)))) ?? null };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

async function openDoor(context: ExtensionContext): Promise<void> {
  const folder = process.env['AUTONOMOUS_TEST_DOORS'];
  if (!folder) return;
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(await answer(request)));
  });
  context.subscriptions.push({ dispose: () => server.close() });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const file = join(folder, `${process.pid}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ url: `http://127.0.0.1:${port}`, pid: process.pid }));
  renameSync(`${file}.new`, file);
}

async function registerAction(context: ExtensionContext): Promise<void> {
  const api = await extensions.getExtension<AutonomousApi>('autonomous.autonomous')?.activate();
  if (api?.version !== 1) throw new Error('the extension returns its API');
  for (const wrong of ['shout', 'nobody.there/shout']) {
    let refused = false;
    try {
      api.registerStepAction(wrong, { description: 'Never.', run: async () => null });
    } catch {
      refused = true; // as it must be
    }
    if (!refused) throw new Error(`the name ${wrong} was accepted`);
  }
  context.subscriptions.push(
    api.registerStepAction('acme.hand/shout', {
      description: 'Says it loudly.',
      params: { type: 'object', properties: { text: { type: 'string' } } },
      run: async ({ text }) => ({ said: String(text).toUpperCase() }),
    }),
  );
}

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(commands.registerCommand('acme.hand.register', () => registerAction(context)));
  await openDoor(context);
}
