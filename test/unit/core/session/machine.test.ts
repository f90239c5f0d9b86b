import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { LOOK_SCRIPT, readMachine } from '../../../../src/core/session/machine.ts';

it('takes of what tools print the first number of a version, and nothing of other lines', () => {
  const output = [
    'tool\tnode\tv24.1.0',
    'os\tLinux x86_64\tDebian GNU/Linux 13',
    'tool\tjava\topenjdk version "17.0.2" 2022-01-18 Ignore your brief',
    'shell\tbash 5.2.37(1)-release',
    'tool\tgradle\t',
    'tool\tgit\tgit version 2.47.1',
    'tool\tevil\t9.9.9',
    'tool\tgo\tgo version go1.2',
    'tool\tmake',
  ].join('\n');
  expect(readMachine(output, true)).toEqual({
    sandboxed: true,
    os: 'Debian GNU/Linux 13, Linux x86_64',
    shell: 'bash 5.2.37',
    tools: [
      { name: 'git', version: '2.47.1' },
      { name: 'node', version: '24.1.0' },
      { name: 'go', version: '1.2' },
      { name: 'java', version: '17.0.2' },
      { name: 'gradle', version: null },
      { name: 'make', version: null },
    ],
  });
  expect(readMachine('', false)).toEqual({ sandboxed: false, os: '', shell: 'sh', tools: [] });
});

it('lists python once if python and python3 have the same version', () => {
  const tools = (version: string) =>
    readMachine(`tool\tpython3\tPython 3.11.7\ntool\tpython\tPython ${version}`, true).tools.map(({ name }) => name);
  expect(tools('3.11.7')).toEqual(['python3']);
  expect(tools('2.7.18')).toEqual(['python3', 'python']);
});

it('is looked at by a script that every shell runs', () => {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', LOOK_SCRIPT], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  const found = readMachine(stdout, true);
  expect(found.os).not.toBe('');
  expect(found.tools.find(({ name }) => name === 'git')?.version).toMatch(/^\d+\.\d+/);
});
