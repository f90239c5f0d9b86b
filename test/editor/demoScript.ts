/** `npm run demo -- --editor --no-open`: the address that it prints is a VS Code with the extension, and Ctrl-C ends it all. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { node24, root } from '../../scripts/setup.mjs';
import { PATIENCE_MS, until } from './patience.ts';
import type { World } from './world.ts';

/** The extension has started when it shows itself in the status bar. */
async function showsTheExtension({ browser }: World, url: string): Promise<void> {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  try {
    await page.goto(url);
    await page.locator('.statusbar-item').filter({ hasText: 'Autonomous' }).first().waitFor();
  } finally {
    await page.close();
  }
}

export async function demoScriptOpensTheExtension(world: World): Promise<void> {
  const script = join(root, 'scripts', 'editor-demo.mjs');
  const child = spawn(node24, [script, '--no-open', `--extensions=${world.extensionsDir}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  let project = '';
  try {
    const url = await until(
      () => `the address; printed is: ${output}`,
      () => {
        assert.equal(child.exitCode, null, `it ended before it printed an address:\n${output}`);
        return /(http:\/\/127\.0\.0\.1:\d+\/\S+)/.exec(output)?.[1];
      },
    );
    project = new URL(url).searchParams.get('folder') ?? '';
    assert.ok(existsSync(join(project, '.git')), 'a sample repository is there');
    await showsTheExtension(world, url);
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
