/**
 * The runner's hand in a window (`extensionTestsPath`): a loopback port that takes commands. Where it listens, and in
 * which extension host, is written beside this file, anew after each reload.
 */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { commands, env, extensions, Uri, workspace } from 'vscode';
import { messageOf } from '../../../src/shared/errors.ts';
import type { Answer, Errand } from './errand.ts';

async function carryOut(errand: Errand): Promise<unknown> {
  switch (errand.kind) {
    case 'command':
      return commands.executeCommand(errand.id, ...errand.args);
    case 'link': {
      const uri = Uri.from({ scheme: env.uriScheme, authority: 'autonomous.autonomous', path: errand.path });
      return commands.executeCommand('vscode.open', uri);
    }
    case 'active': {
      const extension = extensions.getExtension('autonomous.autonomous');
      await extension?.activate();
      return extension?.isActive ?? false;
    }
    case 'folders':
      return workspace.workspaceFolders?.length ?? 0;
  }
}

async function body(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

async function answer(request: IncomingMessage): Promise<Answer> {
  try {
    // What VS Code gives may hold things that are not data: only what JSON keeps is told.
    return { value: (await carryOut(JSON.parse(await body(request)))) ?? null };
  } catch (thrown) {
    return { error: messageOf(thrown) };
  }
}

/** Stays until the window goes. */
export async function run(): Promise<void> {
  const server = createServer(async (request, response) => {
    response.end(JSON.stringify(await answer(request)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const door = { url: `http://127.0.0.1:${port}`, pid: process.pid };
  writeFileSync(join(import.meta.dirname, 'door.json'), JSON.stringify(door));
  await new Promise(() => undefined);
}
