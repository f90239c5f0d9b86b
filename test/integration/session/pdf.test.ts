/** Pages of a PDF as a worker sees them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { onPath } from '../../../scripts/setup.mjs';
import { openTree } from '../../../src/adapters/tree/treeFiles.ts';
import type { SessionPorts } from '../../../src/engine/session/ports.ts';
import { pdfOf } from '../../support/session/pdf.ts';
import { call, calls, done, resultsIn } from '../../support/session/sessionBench.ts';
import { sessionTest } from '../../support/session/sessionTest.ts';

const { bench, run } = sessionTest();

const put = (file: string, text: string) => writeFileSync(join(bench().workdir, file), text);

describe('the pages of a PDF', () => {
  const scratch = () => join(bench().root, 'scratch');
  /** Commands by a real shell; what the sandbox allows them is tested with the command runner. */
  const commands = (path = process.env['PATH']) => ({
    run: async (command: string) => {
      mkdirSync(scratch(), { recursive: true });
      const env = { PATH: path, TMPDIR: scratch() };
      const { status, stdout } = spawnSync('/bin/sh', ['-c', command], {
        cwd: bench().workdir,
        env,
        encoding: 'utf8',
      });
      return { exitCode: status, ended: null, output: stdout };
    },
  });
  const scratchFile = (path: string) =>
    path.startsWith('$TMPDIR/') ? { files: openTree(scratch()), path: path.slice('$TMPDIR/'.length) } : null;
  const read = async (ports: Partial<SessionPorts>, ...inputs: readonly object[]) => {
    const reads = inputs.map((input) => call('read', { file_path: "it's.pdf", ...input }));
    const { model } = await run([calls(...reads), done()], { ports });
    return resultsIn(model, 1).map(({ content }) => content);
  };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: expect.any(String) } };

  beforeEach(() => put("it's.pdf", pdfOf(7)));

  it('are images, some at a time', async ({ skip }) => {
    if (!onPath('pdftoppm')) return skip('pdftoppm is not installed: scripts/setup.mjs installs it on Debian as root');
    put('broken.pdf', '%PDF-1.7\nbroken');
    const [whole, rest, one, beyond, broken] = await read(
      { commands: commands(), scratchFile },
      {},
      { offset: 6 },
      { offset: 2, limit: 1 },
      { offset: 8 },
      { file_path: 'broken.pdf' },
    );
    const text = (words: string) => ({ type: 'text', text: words });
    expect(whole).toEqual([text('[pages 1 to 5 of 7; offset 6 continues]'), image, image, image, image, image]);
    expect(rest).toEqual([text('[pages 6 to 7 of 7]'), image, image]);
    expect(one).toEqual([text('[pages 2 to 2 of 7; offset 3 continues]'), image]);
    expect(beyond).toContain('offset 8 is beyond the end: the PDF has 7 pages');
    expect(broken).toContain('the pages of broken.pdf cannot be shown: ');
  });

  it('need a program that may not be installed', async () => {
    const [missing] = await read({ commands: commands('/nowhere'), scratchFile }, {});
    expect(missing).toContain('package poppler-utils');
  });
});
