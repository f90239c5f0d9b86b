/** `clean`: which clones would go, and with `--yes` they do. */
import type { CleanUp, Stays } from '../../core/job/cloneCleanUp.ts';
import { bytesOf, fileSize } from '../../core/text/fileSize.ts';
import { type Context, columns, command, print, request } from '../screen/context.ts';
import { plural } from '../text/format.ts';
import { usage } from '../text/parse.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

export interface CleanOptions {
  readonly max?: string;
  readonly all?: true;
  readonly yes?: true;
}

const WHY: Readonly<Record<Stays, string>> = {
  under_way: 'stays: its job is not over',
  not_kept: 'kept: its work is not saved elsewhere',
};

function maxBytes({ max, all }: CleanOptions): number | null {
  if (all === true && max !== undefined) throw usage('--all and --max exclude each other');
  if (all === true) return 0;
  if (max === undefined) return null;
  const bytes = bytesOf(max);
  if (bytes === null) throw usage(`--max "${visibleLine(max)}" is not a size`, 'Write e.g. 20GB or 500MB.');
  return bytes;
}

export async function cleanVerb(context: Context, options: CleanOptions): Promise<number> {
  const max = maxBytes(options);
  const done = options.yes === true;
  const result = done
    ? await request(context, 'cleanClones', { maxBytes: max })
    : await context.workspace.job.cleanUp(max);
  print(context, { done, ...result }, context.json ? '' : text(context, result, options));
  return 0;
}

function text(context: Context, result: CleanUp, { max, all, yes }: CleanOptions): string {
  if (result.go.length + result.stay.length === 0) return 'There are no clones.';
  const row = (id: string, bytes: number, what: string, title: string) => [
    id,
    fileSize(bytes),
    what,
    visibleLine(title),
  ];
  const rows = [
    ...result.go.map((one) => row(one.jobId, one.bytes, yes === true ? 'gone' : 'would go', one.title)),
    ...result.stay.map((one) =>
      row(one.jobId, one.bytes, one.why === null ? 'stays: there is room' : WHY[one.why], one.title),
    ),
  ];
  const titles = [
    { title: 'JOB' },
    { title: 'SIZE', align: 'right' },
    { title: '' },
    { title: 'TITLE', gives: true, optional: true },
  ] as const;
  const freed = fileSize(result.bytes - result.left);
  const words = ['clean', ...(all === true ? ['--all'] : []), ...(max === undefined ? [] : [`--max ${max}`]), '--yes'];
  const end =
    result.go.length === 0
      ? 'Nothing goes.'
      : yes === true
        ? `${plural(result.go.length, 'clone')} and ${freed} less. Each attempt can still be had: ${command(context, 'attempts')}`
        : `${plural(result.go.length, 'clone')} would go, ${freed} in all. What stays: plans, transcripts, costs, and each attempt, as a branch or a patch. What goes with a clone: merging or rolling back its job. To do it: ${command(context, words.join(' '))}`;
  return [...table(titles, rows, columns(context)), '', end].join('\n');
}
