import { expect, it } from 'vitest';
import { sessionShell } from '../../../../../src/engine/job/work/sessionShell.ts';
import type { BackgroundCommand, CommandSession } from '../../../../../src/engine/session/commandPorts.ts';
import type { TranscriptEntry } from '../../../../../src/engine/session/ports.ts';
import { FakeClock } from '../../../../support/time/fakeClock.ts';

const reply = (name: string, input: object = {}): TranscriptEntry => ({
  kind: 'reply',
  message: { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name, input }] },
});

type Kept = Parameters<typeof sessionShell>[2];

function shellOf(entries: readonly TranscriptEntry[], name: CommandSession['shell'] = 'bash', kept?: Kept) {
  const closed: string[] = [];
  let opened = 0;
  const shell = sessionShell(
    {
      commands: {
        openSession: () => {
          const tmp = `/private/${++opened}`;
          return {
            tmp,
            output: `${tmp}-output`,
            shell: name,
            sharesNetwork: () => false,
            close: async () => void closed.push(tmp),
          };
        },
      } as never,
      clock: new FakeClock(),
      memory: { shells: new Set() } as never,
      openTree: (tree) => ({ tree }) as never,
    },
    { workdir: '/work', entries },
    kept,
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

it('says once after a resumption that the folder is empty, if the session used it before', () => {
  const used = reply('bash', { command: 'npm test > $TMPDIR/test.log' });
  const { shell } = shellOf([reply('read'), used]);
  expect(shell.news()).toEqual(['this session was resumed: $TMPDIR is empty again']);
  expect(shell.news()).toEqual([]);
  expect(shellOf([reply('read', { file_path: '/tmp/test.log' })]).shell.news()).toHaveLength(1);
  expect(shellOf([reply('read'), reply('bash', { command: 'npm test' })]).shell.news()).toEqual([]);
});

it('goes on with the folder that an earlier attempt left, and leaves it again', async () => {
  const left: CommandSession[] = [];
  const kept = { tmp: '/private/9', output: '/private/9-output' } as CommandSession;
  const used = reply('bash', { command: 'serve > $TMPDIR/log', run_in_background: true });
  const { shell, closed, opened } = shellOf([used], 'bash', {
    kept,
    leave: async (session) => void left.push(session),
  });
  expect(shell.news()).toEqual(['the background commands of the last attempt ended with it']);
  expect(shell.enter()).toBe(kept);
  await shell.close();
  expect([opened(), closed, left]).toEqual([0, [], [kept]]);
});

it('says once that commands run by sh, where bash is not installed', () => {
  const { shell } = shellOf([], 'sh');
  shell.enter();
  expect(shell.news()).toEqual(['bash is not installed here: commands run by sh']);
  shell.enter();
  expect(shell.news()).toEqual([]);
});

it('says after a resumption that no background command runs, and does not use their numbers again', async () => {
  const started: TranscriptEntry = {
    kind: 'reply',
    message: { content: [{ type: 'tool_use', name: 'bash', input: { command: 'serve', run_in_background: true } }] },
  };
  const { shell } = shellOf([started, started]);
  const background = shell.background(async () => ({ end: null }) as BackgroundCommand);
  expect(shell.news()).toEqual(['this session was resumed: none of its background commands runs']);
  expect(await background.look(2, { waitMs: 0, stop: false, signal: new AbortController().signal })).toMatchObject({
    end: { why: 'this session was interrupted and resumed' },
  });
  expect(await background.start('serve')).toMatchObject({ id: 3 });
  expect(shell.isBusy()).toBe(true);
});
