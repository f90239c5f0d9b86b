import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SessionTools } from '../../../src/engine/session/ports.ts';
import { failure } from '../../../src/shared/errors.ts';
import type { ScriptedBlock } from '../../support/provider/scriptedModel.ts';
import { call, calls, done, resultsIn, reviewerSpec } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';

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
    expect(none?.['content']).toBe('No match for "nowhere" in .. What .gitignore names is left out.');
  });

  it('bound what they give', async () => {
    put('long.txt', 'line\n'.repeat(20_000));
    const [whole, part, found] = await gave(
      call('read', { file_path: 'long.txt' }),
      call('read', { file_path: 'long.txt', offset: 19_999 }),
      call('grep', { pattern: 'line' }),
    );
    expect(String(whole?.['content']).length).toBeLessThan(5_000);
    expect(part?.['content']).toBe(' 19999\tline\n 20000\tline');
    expect(String(found?.['content'])).toMatch(
      /\nlong\.txt:200:line\n\[… 19800 more matches, in long\.txt \(19800\)\]$/,
    );
  });
});

describe('grep and glob', () => {
  const texts = async (...blocks: readonly ScriptedBlock[]) =>
    (await gave(...blocks)).map(({ content }) => String(content));

  beforeEach(() => {
    for (const folder of ['src/lib', 'dist', '.github']) mkdirSync(join(bench().workdir, folder), { recursive: true });
    put('.gitignore', 'dist/\n*.log\n!kept.log\n');
    put('src/.gitignore', '/private.ts\n');
    put('src/a.ts', 'one\nTwo\nthree\nfour\nfive\ntwo\n');
    put('src/private.ts', 'two\n');
    put('src/lib/private.ts', 'two\n');
    put('dist/a.js', 'two\n');
    put('debug.log', 'two\n');
    put('kept.log', 'two\n');
    put('.github/ci.yml', 'two\n');
    symlinkSync('src/a.ts', join(bench().workdir, 'link.ts'));
    symlinkSync('/etc', join(bench().workdir, 'out'));
  });

  it('leave out what .gitignore names, and follow no link', async () => {
    expect(
      await texts(
        call('grep', { pattern: 'two', files_only: true }),
        call('glob', { pattern: '**' }),
        call('glob', { pattern: '*', path: 'src' }),
        call('glob', { pattern: '*.js', path: 'dist' }),
        call('glob', { pattern: '**/lib/' }),
      ),
    ).toEqual([
      '.github/ci.yml\nkept.log\nsrc/a.ts\nsrc/lib/private.ts',
      [
        ...['.github/', '.github/ci.yml', '.gitignore', 'kept.log', 'link.ts -> src/a.ts', 'out -> /etc', 'src/'],
        ...['src/.gitignore', 'src/a.ts', 'src/lib/', 'src/lib/private.ts'],
      ].join('\n'),
      'src/.gitignore\nsrc/a.ts\nsrc/lib/',
      'dist/a.js',
      'src/lib/',
    ]);
  });

  it('search by case, context, glob and type, and say how many more there are', async () => {
    expect(
      await texts(
        call('grep', { pattern: 'two', path: 'src', '-i': true, '-C': 1, glob: 'a.*' }),
        call('grep', { pattern: 'two', type: 'yaml' }),
        call('grep', { pattern: 'e$', path: 'src/a.ts', limit: 1 }),
        call('grep', { pattern: 'two', glob: '!*.ts', files_only: true, limit: 1 }),
        call('glob', { pattern: '**/*.ts', limit: 1 }),
      ),
    ).toEqual([
      ['src/a.ts-1-one', 'src/a.ts:2:Two', 'src/a.ts-3-three', '--', 'src/a.ts-5-five', 'src/a.ts:6:two'].join('\n'),
      '.github/ci.yml:1:two',
      'src/a.ts:1:one\n[… 2 more matches, in src/a.ts (2)]',
      '.github/ci.yml\n[… 1 more files]',
      'link.ts -> src/a.ts\n[… 2 more]',
    ]);
  });

  it('say that nothing matches, and what is wrong with a pattern', async () => {
    const [none, noFile, wrong, type] = await texts(
      call('grep', { pattern: 'zebra', glob: '*.md' }),
      call('glob', { pattern: '*.md' }),
      call('grep', { pattern: '(' }),
      call('grep', { pattern: 'x', type: 'zebra' }),
    );
    expect(none).toBe('No match for "zebra" in . (glob *.md). What .gitignore names is left out.');
    expect(noFile).toContain('No file, folder or link matches "*.md" in .');
    expect(wrong).toContain('unclosed group');
    expect(type).toContain('unrecognized file type: zebra');
  });
});

describe('read', () => {
  const texts = async (...inputs: readonly object[]): Promise<string[]> =>
    (await gave(...inputs.map((input) => call('read', input)))).map((result) => String(result['content']));

  it('numbers the lines, and says where the next part begins', async () => {
    put('a.txt', 'one\ntwo\nthree\n');
    expect(
      await texts(
        { file_path: 'a.txt' },
        { file_path: 'a.txt', offset: 2, limit: 1 },
        { file_path: 'a.txt', offset: 4 },
      ),
    ).toEqual([
      '     1\tone\n     2\ttwo\n     3\tthree',
      '     2\ttwo\n[1 more line; offset 3 continues]',
      expect.stringContaining('beyond the end: the file has 3 lines'),
    ]);
  });

  it('hides the CR of line ends, and says that they are there', async () => {
    put('dos.txt', 'one\r\ntwo\r\n');
    expect((await texts({ file_path: 'dos.txt' })).join()).toBe(
      '     1\tone\n     2\ttwo\n[lines end in CRLF; edit and write keep that]',
    );
  });

  it('outlines a file that is too large', async () => {
    const body = `${'  return 1;\n'.repeat(2_000)}}\n`;
    put('big.ts', `export function first() {\n${body}\nclass Second {\n${body}\nconst third = async () => {\n${body}`);
    put('big.md', `# Title\n${'text\n'.repeat(9_000)}\`\`\`\n# no heading\n\`\`\`\n## Part\n${'text\n'.repeat(9_000)}`);
    const [outlined, headings] = await texts({ file_path: 'big.ts' }, { file_path: 'big.md' });
    expect(outlined).toContain(
      '\n     1\texport function first() {\n  2004\tclass Second {\n  4007\tconst third = async () => {',
    );
    expect(headings?.split('\n').slice(1)).toEqual(['     1\t# Title', '  9005\t## Part']);
  });

  it('shows the first lines of a large file that has no outline', async () => {
    put('log.txt', Array.from({ length: 20_000 }, (_, n) => `event ${n}\n`).join(''));
    const [shown] = await texts({ file_path: 'log.txt' });
    expect(shown).toContain('     1\tevent 0');
    expect(shown).toMatch(/\[19800 more lines; offset 201 continues\]$/);
  });

  it('shows an image as one, and refuses other binary files by name of their kind', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    writeFileSync(join(bench().workdir, 'dot.txt'), png);
    put('a.pdf', '%PDF-1.7\n');
    put('a.bin', 'a\0b');
    const [image, pdf, binary] = await gave(
      call('read', { file_path: 'dot.txt' }),
      call('read', { file_path: 'a.pdf' }),
      call('read', { file_path: 'a.bin' }),
    );
    expect(image?.['content']).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png.toString('base64') } },
    ]);
    expect(pdf).toMatchObject({ is_error: true, content: expect.stringContaining('beyond the end') });
    expect(binary).toMatchObject({ is_error: true, content: expect.stringContaining('binary file of 3 bytes') });
  });

  it('goes on without the image that a model does not take', async () => {
    writeFileSync(join(bench().workdir, 'bad.png'), Buffer.from('\x89PNG\r\n\x1a\nbroken', 'latin1'));
    const refused = { status: 400, message: 'messages.2.content.0: Could not process image' } as const;
    const { result, model } = await run([calls(call('read', { file_path: 'bad.png' })), refused, done()]);
    expect(result).toMatchObject({ outcome: 'answered' });
    expect(model.bodies.map((body) => body.includes('"type":"image"'))).toEqual([false, true, false]);
    expect(model.bodies.at(-1)).toContain('the model does not take this image');
  });

  it('says that nothing changed since the last read, also after a resume', async () => {
    put('a.txt', 'one\n');
    const again = () => calls(call('read', { file_path: 'a.txt' }));
    bench().onCommand = () => {
      put('a.txt', 'two\n');
      return '';
    };
    const stop = { status: 400, message: 'no' } as const;
    await run([again(), again(), stop]);
    const { model } = await run([again(), calls(call('bash', { command: 'change' })), again(), again(), done()]);
    const sent = bench().entries.flatMap((entry) =>
      entry.kind === 'results' ? (entry.message as { content: { content: string }[] }).content : [],
    );
    expect(sent.map(({ content }) => content).filter((content) => !content.includes('exit code'))).toEqual([
      '     1\tone',
      expect.stringContaining('unchanged since your last read'),
      expect.stringContaining('unchanged since your last read'),
      '     1\ttwo',
      expect.stringContaining('unchanged since your last read'),
      'Received.',
    ]);
    expect(model.left).toBe(0);
  });
});

describe('edit', () => {
  const file = () => readFileSync(join(bench().workdir, 'a.js'), 'utf8');

  it('applies several edits, and shows the lines around them', async () => {
    put('a.js', Array.from({ length: 30 }, (_, n) => `let v${n + 1};\n`).join(''));
    const edits = [
      { old_string: 'let v2;', new_string: 'let v2;\nlet more;' },
      { old_string: 'let v20;', new_string: 'let last;' },
    ];
    const [edited] = await gave(call('edit', { file_path: 'a.js', edits }));
    expect(edited?.['content']).toBe(
      [
        'edited a.js: 2 replacements',
        ...[
          '     1\tlet v1;',
          '     2\tlet v2;',
          '     3\tlet more;',
          '     4\tlet v3;',
          '     5\tlet v4;',
          '     6\tlet v5;',
        ],
        '…',
        ...['    18\tlet v17;', '    19\tlet v18;', '    20\tlet v19;', '    21\tlet last;', '    22\tlet v21;'],
        ...['    23\tlet v22;', '    24\tlet v23;'],
      ].join('\n'),
    );
    expect(file()).toContain('let v2;\nlet more;\nlet v3;');
  });

  it('applies none of its edits if one does not apply, and says which', async () => {
    put('a.js', 'a\nb\nb\n');
    const edits = [
      { old_string: 'a', new_string: 'c' },
      { old_string: 'b', new_string: 'd' },
    ];
    const [failed] = await gave(call('edit', { file_path: 'a.js', edits }));
    expect(failed).toMatchObject({ is_error: true });
    expect(failed?.['content']).toMatch(
      /edit 2 of 2: old_string occurs 2 times.*\n {5}2\tb\n {5}3\tb\nNo edit was applied\.$/s,
    );
    expect(file()).toBe('a\nb\nb\n');
  });

  it('takes a single edit without a list, and keeps CRLF', async () => {
    put('a.js', 'a\r\nb\r\nb\r\n');
    await gave(call('edit', { file_path: 'a.js', old_string: 'b\n', new_string: 'c\nd\n', replace_all: true }));
    expect(file()).toBe('a\r\nc\r\nd\r\nc\r\nd\r\n');
  });

  it('shows the nearest text, and spaces that differ', async () => {
    put('a.js', 'function f() {\n\treturn total;\n}\n');
    const [failed] = await gave(
      call('edit', { file_path: 'a.js', old_string: 'function f() {\n  return total;\n}', new_string: 'x' }),
    );
    expect(String(failed?.['content'])).toContain('     2\t\treturn total;');
    expect(String(failed?.['content'])).toContain(
      'line 2, old_string: ··return·total;\nline 2, file:       →return·total;',
    );
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
    expect(resultsIn(model, 1)[0]?.['content']).toBe(
      '(no output)\n[stopped after 30 s: the time of this attempt is used up]',
    );
  });

  it.each([
    ['timeout', 'stopped after 5 s, its time limit; timeout_seconds may be up to 600'],
    ['output', 'stopped: it printed more than a command may'],
    ['processes', 'stopped: it started more processes than a command may'],
    ['failed_to_start', 'it did not start'],
  ])('says which limit stopped a command: %s', async (ended, words) => {
    const commands = { run: async () => ({ exitCode: null, ended, output: 'half' }) };
    const { model } = await run([calls(call('bash', { command: 'x', timeout_seconds: 5 })), done()], {
      ports: { commands },
    });
    expect(resultsIn(model, 1)[0]?.['content']).toBe(`half\n[${words}]`);
  });

  it('runs in the background, and shows, waits for and stops what does', async () => {
    const asked: unknown[] = [];
    const end = { exitCode: 3, ended: null, notes: ['1 process was ended with it'], why: null };
    const looks = [
      { output: 'listening\n', seconds: 63, end: null },
      { output: '', seconds: 70, end: { ...end, exitCode: null, ended: 'aborted' } },
      { output: 'fault\n', seconds: 70, end },
      { output: '', seconds: 70, end: { ...end, why: 'the attempt ended', notes: [] } },
    ];
    const background = {
      start: async (command: string) =>
        command === 'no' ? { refused: '8 run' } : { id: 4, sharesNetwork: command === 'a' },
      look: async (id: number, { signal: _, ...options }: { waitMs: number; stop: boolean; signal: AbortSignal }) => {
        asked.push({ id, ...options });
        return id === 4 ? (looks.shift() ?? null) : null;
      },
    };
    const commands = { run: () => Promise.reject(new Error('not in the background')), background };
    const starts = ['a', 'b', 'no'].map((command) => call('bash', { command, run_in_background: true }));
    const inputs = [
      { bash_id: 4, wait_seconds: 60 },
      { bash_id: 4, stop: true },
      { bash_id: 4 },
      { bash_id: 4 },
      { bash_id: 9 },
    ];
    const ran = calls(...starts, ...inputs.map((input) => call('bash_output', input)));
    const { model } = await run([ran, done()], { ports: { commands } });
    const results = resultsIn(model, 1).map(({ content }) => String(content));
    expect(results[0]).toMatch(/^Started as background command 4\. bash_output .* it ends with this attempt\.$/);
    expect(results[1]).toContain('Later commands cannot reach its ports');
    expect(results[2]).toBe('bash: not started: 8 run');
    expect(results.slice(3)).toEqual([
      'listening\n[it runs, for 63 s so far]',
      '(no output)\n[it ended: stopped]\n[1 process was ended with it]',
      'fault\n[it ended: exit code 3]\n[1 process was ended with it]',
      '(no output)\n[it ended: the attempt ended]',
      'bash_output: there is no background command 9 in this session',
    ]);
    expect(asked.slice(0, 3)).toEqual([
      { id: 4, waitMs: 60_000, stop: false },
      { id: 4, waitMs: 0, stop: true },
      { id: 4, waitMs: 0, stop: false },
    ]);
  });

  it('runs nothing in the background where no command can', async () => {
    const [refused, unknown] = await gave(
      call('bash', { command: 'a', run_in_background: true }),
      call('bash_output', { bash_id: 1 }),
    );
    expect(refused?.['content']).toBe('bash: no command can run in the background here');
    expect(unknown?.['content']).toBe('bash_output: there is no background command 1 in this session');
  });

  it('names the file of the whole output if something of it is not shown, and what the output does not show', async () => {
    const kept = { path: '/private/output/3.txt', bytes: 50_000, isWhole: true };
    const outputs = ['x'.repeat(50_000), '\u001b[31m\u001b[0m'.repeat(2_000), 'y'.repeat(17_000)];
    const commands = {
      run: async (_command: string, { keepOver }: { keepOver?: number }) => {
        const output = outputs.shift() ?? '';
        const more = outputs.length === 0 ? { isWhole: false, bytes: 99_000_000 } : {};
        return {
          exitCode: 0,
          ended: null,
          output,
          kept: output.length > (keepOver ?? 0) ? { ...kept, ...more } : undefined,
          notes: ['/tmp is read-only here'],
        };
      },
    };
    const ran = calls(...['a', 'b', 'c'].map((command) => call('bash', { command })));
    const { model } = await run([ran, done()], { ports: { commands } });
    const [long, short, endless] = resultsIn(model, 1).map(({ content }) => String(content));
    expect(long).toMatch(
      /x\n\[exit code 0\]\n\[all 50000 bytes of the output are in \/private\/output\/3\.txt: read it in parts, or search it by a command\]\n\[\/tmp is read-only here\]$/,
    );
    expect(short).toBe('(no output)\n[exit code 0]\n[/tmp is read-only here]');
    expect(endless).toContain('[the beginning of the output, which had 99000000 bytes, is in /private/output/3.txt:');
  });
});

describe('the desk tools', () => {
  it('pass on what the owner says, refusals as errors', async () => {
    const { model } = await run([calls(call('note', { scope: 'global', content: 'x' }), call('notes', {})), done()], {
      ports: {
        sessionTools: {
          addNote: async () => Promise.reject(failure('NOT_PERMITTED', 'no more notes')),
          notes: async () => '',
        },
      },
    });
    expect(resultsIn(model, 1)).toMatchObject([{ is_error: true, content: 'no more notes' }, { content: 'No notes.' }]);
  });
});

describe('a note', () => {
  it('names its file as the repository does, and keeps what its line says', async () => {
    mkdirSync(join(bench().workdir, 'src'));
    put('src/a.js', 'let x;\n  let y = 1;\n\n');
    const noted: unknown[] = [];
    const sessionTools: SessionTools = {
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
      { ports: { sessionTools } },
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
    expect(resultsIn(model, 1)[0]?.['content']).toBe('     1\tif (admin<U+202E>) {<U+200B>}<U+001B>[2J');
  });

  it('has nothing to write with', async () => {
    const write = call('write', { file_path: 'a.txt', content: 'x' });
    const edit = call('edit', { file_path: 'a.txt', old_string: 'x', new_string: 'y' });
    const { model } = await run([calls(write, edit), verdict()], { spec: reviewerSpec });
    expect(resultsIn(model, 1).map((result) => result['is_error'])).toEqual([true, true]);
    expect(bench().commands).toEqual([]);
  });
});
