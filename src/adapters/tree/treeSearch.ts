/** Searches a tree with ripgrep, which follows no link and skips the files that `.gitignore` excludes. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { cutText } from '../../core/text/cutText.ts';
import type { Found, FoundLine, SearchQuery } from '../../engine/session/ports.ts';
import { failure } from '../../shared/errors.ts';

/** Matches after which a search is stopped. */
const MAX_MATCHES = 100_000;
const MAX_ERROR = 2_000;
const MAX_LINE = 500;
/** A CR in one of the forms that ripgrep knows. It refuses such a pattern if CR is part of a line's end. */
const NAMES_CR = /\r|\\(?:r|x0[dD]|u000[dD]|U0000000[dD]|[xuU]\{0*[dD]\})/;

const Text = z.union([
  z.object({ text: z.string() }).transform(({ text }) => text),
  z.object({ bytes: z.string() }).transform(({ bytes }) => Buffer.from(bytes, 'base64').toString('utf8')),
]);
const Line = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({ path: Text, lines: Text, line_number: z.number() }),
});

/** `way` is relative to `root`, and contains no link. */
export async function searchTree(ripgrep: string, root: string, way: string, query: SearchQuery): Promise<Found> {
  const child = spawn(ripgrep, argumentsOf(way, query), {
    cwd: root,
    // No configuration of ripgrep, and no secret of this process.
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: query.signal,
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(0, MAX_ERROR);
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // Awaited below, once the output is read.
  ended.catch(() => undefined);
  const collector = new Collector(query);
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!collector.isFull) collector.take(line);
    else child.kill('SIGKILL');
  }
  const code = await ended;
  // 2 also means that some files could not be read: the matches still count.
  if (code === 2 && collector.isEmpty && complaint !== '') throw failure('INVALID_INPUT', complaint.trim());
  return collector.found();
}

function argumentsOf(way: string, { pattern, ignoreCase, before, after, type }: SearchQuery): string[] {
  const skipped = way.split('/').includes('node_modules') ? [] : ['--glob=!node_modules'];
  const namesCr = NAMES_CR.test(pattern.replaceAll('\\\\', ''));
  return [
    ...(namesCr ? [] : ['--crlf']),
    ...['--no-config', '--json', '--sort=path', '--hidden', '--glob=!.git', ...skipped],
    ...['--no-require-git', '--no-ignore-dot', '--no-ignore-exclude', '--no-ignore-global'],
    ...(ignoreCase ? ['--ignore-case'] : []),
    ...[`--before-context=${before}`, `--after-context=${after}`],
    ...(type === null ? [] : [`--type=${type}`]),
    ...['-e', pattern, '--', way === '' ? './' : `./${way}`],
  ];
}

class Collector {
  readonly #query: SearchQuery;
  readonly #lines: FoundLine[] = [];
  readonly #files = new Set<string>();
  readonly #more = new Map<string, number>();
  #matches = 0;

  constructor(query: SearchQuery) {
    this.#query = query;
  }

  get isFull(): boolean {
    return this.#matches >= MAX_MATCHES;
  }

  get isEmpty(): boolean {
    return this.#matches === 0;
  }

  take(json: string): void {
    const parsed = Line.safeParse(JSON.parse(json));
    if (!parsed.success) return;
    const { type, data } = parsed.data;
    const path = data.path.replaceAll('\\', '/').replace(/^\.\//, '');
    if (!this.#query.wanted(path)) return;
    const isMatch = type === 'match';
    if (isMatch) this.#matches++;
    if (this.#query.filesOnly) {
      this.#takeFile(path, isMatch);
      return;
    }
    const isFull = this.#matches > this.#query.max;
    if (isMatch && isFull) this.#more.set(path, (this.#more.get(path) ?? 0) + 1);
    if (!isFull) this.#lines.push({ path, number: data.line_number, text: short(data.lines), isMatch });
  }

  #takeFile(path: string, isMatch: boolean): void {
    if (!isMatch || this.#files.has(path)) return;
    if (this.#files.size < this.#query.max) this.#lines.push({ path, number: 0, text: '', isMatch });
    else this.#more.set(path, 1);
    this.#files.add(path);
  }

  found(): Found {
    return { lines: this.#lines, more: this.#more, isCut: this.isFull };
  }
}

function short(line: string): string {
  return cutText(line.replace(/\r?\n$/, ''), MAX_LINE);
}
