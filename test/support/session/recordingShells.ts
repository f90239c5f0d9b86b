/** Real shells in a throw-away sandbox, whose PATH holds nothing but stubs that record what they were started as. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../../../src/adapters/platform/executables.ts';

const program = (name: string): string | null => findExecutable(name, process.env['PATH'] ?? '');

/** With the words before the text; one that is not installed is left out. */
const SHELLS: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['dash', ['-c']],
  ['bash', ['--norc', '--noprofile', '-c']],
  ['busybox', ['sh', '-c']],
  ['zsh', ['-f', '-c']],
];

/** Records `<number of words> <word>…`, each ended by a NUL, in the file that RECORD names. */
const STUB = `#!/bin/sh
printf '%s\\0' "$(($# + 1))" "\${0##*/}" "$@" >> "$RECORD"
`;

export interface Observed {
  readonly shell: string;
  /** What it started for each text, in order. */
  readonly started: readonly (readonly (readonly string[])[])[];
  /** Files that the texts together made or removed in the folder they ran in. */
  readonly left: readonly string[];
}

export class RecordingShells {
  readonly root = mkdtempSync(join(tmpdir(), 'autonomous-shells-'));
  readonly bin = join(this.root, 'bin');
  readonly names: readonly string[];

  /** `programs`: what is found on PATH. */
  constructor(programs: readonly string[]) {
    mkdirSync(this.bin);
    for (const name of programs) writeFileSync(join(this.bin, name), STUB, { mode: 0o755 });
    this.names = SHELLS.map(([name]) => name).filter((name) => program(name) !== null);
  }

  /** Runs each text by a shell of its own: `sh -c text`. NUL cannot be given to a program at all. */
  observe(shell: string, texts: readonly string[]): Observed {
    const words = SHELLS.find(([name]) => name === shell)?.[1];
    const [file, bwrap] = [program(shell), program('bwrap')];
    if (words === undefined || file === null || bwrap === null) throw new Error(`no ${shell}, or no bwrap, on PATH`);
    const argv = [file, ...words];
    const [work, records] = [join(this.root, 'work'), join(this.root, 'records')];
    for (const folder of [work, records]) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    }
    writeFileSync(join(work, 'README.md'), '');
    const script = texts.map(
      (text, at) => `RECORD=${records}/${at} ${argv.join(' ')} ${single(text)} </dev/null >/dev/null 2>&1\n`,
    );
    writeFileSync(join(this.root, 'script'), `export PATH=${this.bin}\n${script.join('')}`);
    const box = [
      '--ro-bind',
      '/',
      '/',
      '--tmpfs',
      '/tmp',
      '--bind',
      this.root,
      this.root,
      '--ro-bind',
      this.bin,
      this.bin,
    ];
    const around = ['--dev', '/dev', '--proc', '/proc', '--unshare-all', '--die-with-parent', '--chdir', work];
    const run = spawnSync(bwrap, [...box, ...around, '--', '/bin/sh', join(this.root, 'script')], {
      env: { HOME: work, LC_ALL: 'C.UTF-8' },
      encoding: 'utf8',
    });
    if (run.status === null || run.stderr !== '') throw new Error(`${shell} could not be watched: ${run.stderr}`);
    const started = texts.map((_, at) => recordsIn(join(records, String(at))));
    return { shell, started, left: readdirSync(work).filter((name) => name !== 'README.md') };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What stubs wrote; none: no program was started. */
export function recordsIn(file: string): string[][] {
  if (!existsSync(file)) return [];
  const words = readFileSync(file, 'utf8').split('\0').slice(0, -1);
  const started: string[][] = [];
  for (let at = 0; at < words.length; ) {
    const count = Number(words[at]);
    started.push(words.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return started;
}
