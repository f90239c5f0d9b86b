/** The completion scripts in real shells, which ask the built program. A shell that is not installed is not tried. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import { plainGit } from '../../support/git/gitFixture.ts';
import { testPrograms } from '../../support/process/testPrograms.ts';

const folder = realpathSync(mkdtempSync(join(inject('tempRoot'), 'completion-')));
const cli = fileURLToPath((await testPrograms(inject('tempRoot'))).program('cli'));
const bin = join(folder, 'bin');
mkdirSync(bin);
writeFileSync(join(bin, 'autonomous'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
chmodSync(join(bin, 'autonomous'), 0o755);
const repo = join(folder, 'repo');
mkdirSync(join(repo, 'sub dir'), { recursive: true });
writeFileSync(join(repo, 'brief.md'), 'x');
plainGit(repo, ['init', '-q', '-b', 'main']);
plainGit(repo, ['commit', '-q', '--allow-empty', '-m', 'Start']);

const PATH = [bin, ...(process.env['PATH'] ?? '').split(delimiter)];
const installed = (shell: string): string | null =>
  PATH.map((at) => join(at, shell)).find((file) => existsSync(file)) ?? null;

function run(shell: string, args: readonly string[]): string {
  const env = { ...process.env, PATH: PATH.join(delimiter), HOME: folder };
  return execFileSync(shell, args, { cwd: repo, env, encoding: 'utf8' });
}

const script = (shell: string): string => {
  const file = join(folder, `completion.${shell}`);
  writeFileSync(file, execFileSync(process.execPath, [cli, 'completion', shell], { encoding: 'utf8' }));
  return file;
};

describe('bash', () => {
  const file = script('bash');
  const bash = installed('bash') ?? 'bash';

  /** What bash would offer: words as it splits them, the last one under the cursor. */
  const offered = (...words: string[]): string[] => {
    const given = words.map((word) => `'${word}'`).join(' ');
    const asks = `source '${file}'; COMP_WORDS=(autonomous ${given}); COMP_CWORD=${words.length}; _autonomous 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run(bash, ['-c', asks])
      .split('\n')
      .filter((line) => line !== '');
  };

  test('is valid, and offers verbs, options, choices and folders', () => {
    run(bash, ['-n', file]);
    expect(offered('app')).toEqual(['approvals', 'approve']);
    expect(offered('task', 'temp')).toEqual(['template']);
    expect(offered('run', '--dai')).toEqual(['--daily-limit']);
    expect(offered('run', '--merge', '=', 'p')).toEqual(['patch']);
    expect(offered('--project-dir', 'su')).toEqual(['sub dir']);
    // The shell's own completion of files takes over.
    expect(offered('run', '--file', 'br')).toEqual([]);
  });

  test('offers ids of the workspace, and makes none', () => {
    expect(offered('notes', '--resolve', '')).toEqual([]);
    expect(existsSync(join(repo, '.autonomous'))).toBe(false);
    run(join(bin, 'autonomous'), ['note', '--global', 'x']);
    expect(offered('notes', '--resolve', '')).toEqual(['1']);
    expect(offered('--project-dir', folder, 'notes', '--resolve', '')).toEqual([]);
  });
});

test.for(['zsh', 'fish'].filter((shell) => installed(shell) !== null))('the script of %s is valid', (shell) => {
  expect(run(installed(shell) ?? shell, ['-n', script(shell)])).toBe('');
});

test.for(['fish'].filter((shell) => installed(shell) !== null))('%s offers verbs and choices', (shell) => {
  const file = script(shell);
  const offered = (line: string): string =>
    run(installed(shell) ?? shell, ['-c', `source '${file}'; complete -C '${line}'`]);
  expect(offered('autonomous app')).toMatch(/^approvals\t.*\napprove\t/);
  expect(offered('autonomous run --merge b')).toMatch(/^branch\b/);
});
