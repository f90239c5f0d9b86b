import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionDesk } from '../../../src/agent/ports.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { ScriptedBlock } from '../../support/scriptedModel.ts';
import { call, calls, done, resultsIn, reviewerSpec } from '../../support/sessionBench.ts';
import { sessionTest } from '../../support/sessionTest.ts';

const { bench, run } = sessionTest();

const verdict = () => calls(call('submit_verdict', { verdict: 'ESCALATE', reason: 'cannot tell' }));

/** What the tools gave a worker. */
async function gave(...blocks: readonly ScriptedBlock[]): Promise<readonly Record<string, unknown>[]> {
  return resultsIn((await run([calls(...blocks), done()])).model, 1);
}

function put(file: string, text: string): void {
  writeFileSync(join(bench().workdir, file), text);
}

describe('the file tools', () => {
  it('give paths relative to the tree, in one order', async () => {
    mkdirSync(join(bench().workdir, 'src'));
    put('src/b.js', 'let x;\nlet y;\n');
    put('src/a.js', 'let x;\n');
    const [found, listed, none] = await gave(
      call('grep', { pattern: 'let', path: 'src' }),
      call('glob', { pattern: 'a.*', path: 'src' }),
      call('grep', { pattern: 'nowhere' }),
    );
    expect(found?.['content']).toBe('src/a.js:1:let x;\nsrc/b.js:1:let x;\nsrc/b.js:2:let y;');
    expect(listed?.['content']).toBe('src/a.js');
    expect(none?.['content']).toBe('no matches');
  });

  it('bound what they give', async () => {
    put('long.txt', 'line\n'.repeat(20_000));
    const [whole, part, found] = await gave(
      call('read', { file_path: 'long.txt' }),
      call('read', { file_path: 'long.txt', view_range: [2, 3] }),
      call('grep', { pattern: 'line' }),
    );
    expect(whole).toMatchObject({ is_error: true, content: expect.stringContaining('range of its lines') });
    expect(part?.['content']).toBe('line\nline');
    expect(String(found?.['content']).length).toBeLessThan(17_000);
  });
});

describe('bash', () => {
  it('gives plain text, both ends of it, and how it ended', async () => {
    bench().onCommand = () => `\u001b[31mfirst\u001b[0m\n${'x'.repeat(50_000)}\nlast\n`;
    const [result] = await gave(call('bash', { command: 'npm test' }));
    const text = String(result?.['content']);
    expect(text.startsWith('first\n')).toBe(true);
    expect(text.endsWith('last\n[exit code 0]')).toBe(true);
    expect(text.length).toBeLessThan(16_200);
  });

  it('has no longer than the attempt has', async () => {
    const timeouts: number[] = [];
    bench().limits = { ...bench().limits, seconds: 30 };
    const commands = {
      run: async (_command: string, { timeoutMs }: { timeoutMs: number }) => {
        timeouts.push(timeoutMs);
        return { exitCode: null, ended: 'timeout', output: '' };
      },
    };
    const { model } = await run([calls(call('bash', { command: 'sleep 99', timeout_seconds: 600 })), done()], {
      ports: { commands },
    });
    expect(timeouts).toEqual([30_000]);
    expect(resultsIn(model, 1)[0]?.['content']).toBe('(no output)\n[stopped after 30 s, no exit code]');
  });
});

describe('the desk tools', () => {
  it('pass on what the owner says, refusals as errors', async () => {
    const { model } = await run(
      [
        calls(
          call('feature_status', { feature_id: 5, status: 'pending' }),
          call('feature_status', { feature_id: 5, status: 'completed' }),
          call('note', { scope: 'global', content: 'x' }),
          call('notes', {}),
        ),
        done(),
      ],
      {
        ports: {
          desk: {
            featureStatus: async () => ({ ok: false, text: 'feature 5 is not yours' }),
            addNote: async () => Promise.reject(failure('NOT_PERMITTED', 'no more notes')),
            notes: async () => '',
          },
        },
      },
    );
    expect(resultsIn(model, 1)).toMatchObject([
      { is_error: true, content: 'feature 5 is not yours' },
      { is_error: true, content: expect.stringContaining('status') },
      { is_error: true, content: 'no more notes' },
      { content: 'No notes.' },
    ]);
  });
});

describe('a note', () => {
  it('names its file as the repository does, and keeps what its line says', async () => {
    mkdirSync(join(bench().workdir, 'src'));
    put('src/a.js', 'let x;\n  let y = 1;\n\n');
    const noted: unknown[] = [];
    const desk: SessionDesk = {
      featureStatus: async () => ({ ok: true, text: '' }),
      addNote: async (note) => {
        noted.push(note);
        return { ok: true, text: 'Note added' };
      },
      notes: async () => '',
    };
    const about = (file: string, line?: number) => call('note', { scope: 'global', content: 'x', file, line });
    const { model } = await run(
      [
        calls(
          about('./src/a.js', 2),
          about(join(bench().workdir, 'src/a.js')),
          about('src/a.js', 3),
          about('src/a.js', 99),
          about('src/gone.js', 1),
          about('../outside.js', 1),
        ),
        done(),
      ],
      { ports: { desk } },
    );
    expect(noted).toMatchObject([
      { file: 'src/a.js', line: 2, anchor: 'let y = 1;' },
      { file: 'src/a.js', anchor: null },
      { file: 'src/a.js', line: 3, anchor: null },
      { file: 'src/a.js', line: 99, anchor: null },
      { file: 'src/gone.js', line: 1, anchor: null },
    ]);
    expect(resultsIn(model, 1).map((result) => result['is_error'] ?? false)).toEqual([
      ...[false, false, false, false, false],
      true,
    ]);
  });
});

describe('the reviewer', () => {
  it('reads with hidden characters written out', async () => {
    put('a.js', 'if (admin\u202e) {\u200b}\u001b[2J\n');
    const { model } = await run([calls(call('read', { file_path: 'a.js' })), verdict()], { spec: reviewerSpec });
    expect(resultsIn(model, 1)[0]?.['content']).toBe('if (admin<U+202E>) {<U+200B>}<U+001B>[2J\n');
  });

  it('has nothing to write with', async () => {
    const write = call('write', { file_path: 'a.txt', content: 'x' });
    const edit = call('edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y' });
    const { model } = await run([calls(write, edit), verdict()], { spec: reviewerSpec });
    expect(resultsIn(model, 1).map((result) => result['is_error'])).toEqual([true, true]);
    expect(bench().commands).toEqual([]);
  });
});
