/** `npm run demo -- --editor --no-open`: the address that it prints is a VS Code with the extension, and Ctrl-C ends it all. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node24, root } from '../../scripts/setup.mjs';
import { EditorWindow } from './window.ts';
import type { World } from './world.ts';

const START_MS = 90_000;

export async function demoScriptOpensTheExtension({ browser, extensionsDir }: World): Promise<void> {
  const script = join(root, 'scripts', 'editor-demo.mjs');
  const child = spawn(node24, [script, '--no-open', `--extensions=${extensionsDir}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let output = '';
  const printed = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', look);
      child.once('exit', () => reject(new Error(`it ended before it printed ${pattern}:\n${output}`)));
      setTimeout(() => reject(new Error(`it did not print ${pattern} in time:\n${output}`)), START_MS).unref();
      look();
    });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let project = '';
  try {
    const url = await printed(/(http:\/\/127\.0\.0\.1:\d+\/\S+)/);
    project = new URL(url).searchParams.get('folder') ?? '';
    assert.ok(existsSync(join(project, '.git')), 'a sample repository is there');
    const window = await EditorWindow.open(browser, url);
    try {
      await window.command('Autonomous: Open Board');
      await window.tab('Autonomous').first().waitFor();
    } finally {
      await window.close();
    }
    child.kill('SIGINT');
    const [code] = await ended;
    assert.equal(code, 0);
    assert.match(output, /The sample repository stays in /);
    await assert.rejects(fetch(url), 'nothing listens there any more');
    assert.ok(existsSync(join(project, '.git')), 'the sample repository is still there');
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGINT');
      await ended;
    }
    if (project !== '') rmSync(dirname(project), { recursive: true, force: true, maxRetries: 3 });
  }
}
