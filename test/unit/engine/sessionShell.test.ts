import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../../src/agent/ports.ts';
import type { CommandSession } from '../../../src/engine/ports.ts';
import { sessionShell } from '../../../src/engine/sessionShell.ts';

const reply = (name: string): TranscriptEntry => ({
  kind: 'reply',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name, input: {} }] },
});

function shellOf(entries: readonly TranscriptEntry[], name: CommandSession['shell'] = 'bash') {
  const closed: string[] = [];
  let opened = 0;
  const shell = sessionShell(
    {
      commands: {
        openSession: () => {
          const tmp = `/private/${++opened}`;
          return { tmp, output: `${tmp}-output`, shell: name, close: async () => void closed.push(tmp) };
        },
      } as never,
      openTree: (tree) => ({ tree }) as never,
    },
    { workdir: '/work', entries },
  );
  return { shell, closed, opened: () => opened };
}

it('makes the folder with the first command, and removes it at the end', async () => {
  const { shell, closed, opened } = shellOf([]);
  expect(shell.scratchFile('/tmp/a')).toBeNull();
  expect(opened()).toBe(0);
  expect(shell.enter()).toBe(shell.enter());
  expect(shell.scratchFile('$TMPDIR/a')).toEqual({ files: { tree: '/private/1' }, path: 'a' });
  expect(shell.scratchFile('/private/1-output/7.txt')).toEqual({ files: { tree: '/private/1-output' }, path: '7.txt' });
  expect(shell.scratchFile('src/a')).toBeNull();
  await shell.close();
  expect(closed).toEqual(['/private/1']);
});

it('says once after a resumption that the folder is empty, if the session ran a command before', () => {
  const { shell } = shellOf([reply('read'), reply('bash')]);
  expect(shell.news()).toEqual([expect.stringContaining('$TMPDIR is empty again')]);
  expect(shell.news()).toEqual([]);
  expect(shellOf([reply('read')]).shell.news()).toEqual([]);
});

it('says once that commands run by sh, where bash is not installed', () => {
  const { shell } = shellOf([], 'sh');
  shell.enter();
  expect(shell.news()).toEqual(['bash is not installed here: commands run by sh']);
  shell.enter();
  expect(shell.news()).toEqual([]);
});
