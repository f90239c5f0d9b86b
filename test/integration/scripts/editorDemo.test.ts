/** `npm run demo -- --editor` where VS Code is installed: a program in its place says what it was told. */
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { node24, root } from '../../../scripts/setup.mjs';

test.skipIf(process.platform === 'win32')('opens a sample repository with the extension in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'code-'));
  let project = '';
  try {
    const code = join(folder, 'code');
    writeFileSync(code, '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/argv"\n');
    chmodSync(code, 0o755);
    const env = { ...process.env, PATH: [folder, process.env['PATH'] ?? '', dirname(node24)].join(delimiter) };
    const { stdout } = await promisify(execFile)(node24, [join(root, 'scripts', 'editor-demo.mjs'), '--editor'], {
      env,
    });
    const [extension, opened = ''] = readFileSync(join(folder, 'argv'), 'utf8').trim().split('\n');
    project = opened;
    expect(extension).toBe(`--extensionDevelopmentPath=${root}`);
    expect(stdout).toContain('Autonomous: Try the Demo');
    expect(stdout).toContain(`The sample repository stays in ${project}`);
    expect(existsSync(join(project, 'package.json'))).toBe(true);
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: project, encoding: 'utf8' })).toBe('');
  } finally {
    rmSync(folder, { recursive: true });
    if (project !== '') rmSync(dirname(project), { recursive: true });
  }
});
