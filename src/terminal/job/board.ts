/** `board`: the features by lane. */

import { backlog } from '../../core/job/plan/backlog.ts';
import { board, type Card, LANES } from '../../core/job/view/board.ts';
import { standsStill } from '../../core/job/view/jobStatus.ts';
import { placeText } from '../../core/job/view/place.ts';
import { waitsIn } from '../../core/job/view/waiting.ts';
import { need, phaseFeatures } from '../../core/state/rows.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { Lane } from '../../shared/job/place.ts';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { State } from '../../shared/workspace/state.ts';
import { type Context, columns, command, findJob, print, readOwned, withEngine } from '../screen/context.ts';
import { stillLines } from '../screen/standing.ts';
import { waitLines } from '../screen/waiting.ts';
import { plural } from '../text/format.ts';
import { parseId } from '../text/parse.ts';
import { routeLine } from '../text/route.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { type Column, table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

const TITLES: Readonly<Record<Lane, string>> = {
  pending: 'Pending',
  in_progress: 'In progress',
  needs_you: 'Needs you',
  completed: 'Completed',
  failed: 'Failed',
};

const AGENT: Column = { title: 'AGENT', optional: true };

const COLUMNS: readonly Column[] = [
  { title: 'ID', align: 'right' },
  { title: 'FEATURE', gives: true },
  { title: 'CATEGORY', optional: true },
  { title: 'PHASE', align: 'right', optional: true },
  { title: 'RETRIES', align: 'right', optional: true },
];

export async function boardVerb(context: Context, options: { readonly job?: string }): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  const job = options.job === undefined ? null : findJob(context, state, options.job);
  const view = board(state, job?.id ?? null);
  const jobs = [...state.jobs.values()].filter(({ id }) => job === null || id === job.id);
  const waits = waitsIn(state);
  const waiting = jobs.map((row) => ({
    subject: { of: 'job', id: row.id, projectId: row.project_id } as const,
    waiting: waits.job(row),
  }));
  const blocks = [
    boardText(context, view.features),
    waitLines(context, waiting).join('\n'),
    job === null ? backlogText(context, state) : '',
    ...stillLines(
      context,
      jobs.some((one) => standsStill(one, atWork)),
    ),
  ];
  const text = blocks.filter((block) => block !== '').join('\n\n');
  const json = Object.fromEntries(waiting.map((one) => [one.subject.id, one.waiting]));
  print(context, { ...view, waiting: json, owned, atWork: atWork.jobs }, context.json ? '' : text);
  return 0;
}

/** The command that runs the features without a job. Empty if there are none. */
function backlogText(context: Context, state: State): string {
  const { length } = backlog(state);
  if (length === 0) return '';
  const [have, them] = length === 1 ? ['has', 'it'] : ['have', 'them'];
  return `${plural(length, 'pending feature')} ${have} no job. To run ${them}: ${command(context, 'run --backlog')}`;
}

/** `place` counts from 1 among the features of its phase; the others move. */
export async function moveVerb(context: Context, id: string, place: string): Promise<number> {
  const featureId = parseId(id, 'feature');
  const to = parseId(place, 'place');
  const order = await withEngine(context, async (engine) => {
    const { phase_id } = need(engine.state, 'features', featureId);
    const rows = (): FeatureRow[] => (phase_id === null ? [] : phaseFeatures(engine.state, phase_id));
    const after = rows().at(-1)?.position ?? 0;
    await engine.request('reorderFeature', { featureId, position: rows()[to - 1]?.position ?? after + 1 });
    return rows();
  });
  const ids = order.map((row) => row.id);
  const lines = order.map((row, at) => `${at + 1}. ${row.id} ${visibleLine(row.name)}`);
  print(context, { feature: { id: featureId }, order: ids }, lines.join('\n'));
  return 0;
}

function boardText(context: Context, cards: readonly Card[]): string {
  const lanes = LANES.map((lane) => ({ lane, cards: cards.filter((card) => card.lane === lane) }));
  const counts = lanes.map(({ lane, cards: of }) => `${TITLES[lane]} ${of.length}`).join(' · ');
  const blocks = lanes
    .filter(({ cards: of }) => of.length > 0)
    .map(({ lane, cards: of }) => laneText(context, lane, of));
  return [counts, ...blocks].join('\n\n');
}

/** The built-in agent is not shown. */
const isForeign = ({ executors }: Card): boolean => executors.some((name) => name !== BUILT_IN);

function laneText(context: Context, lane: Lane, cards: readonly Card[]): string {
  const width = columns(context);
  const agents = cards.some(isForeign);
  const money = spentColumns('COST', cards, true);
  const titles = [...COLUMNS, ...money.columns, ...(agents ? [AGENT] : [])];
  const rows = cards.map((card) => [
    String(card.id),
    visibleLine(card.name),
    visibleLine(card.category),
    card.phase === null ? '-' : String(card.phase.number),
    String(card.retry_count),
    ...money.cells(card),
    ...(agents ? [visibleLine(card.executors.join(', '))] : []),
  ]);
  const reasons = cards.flatMap((card) => {
    const why =
      card.held ?? card.failure_reason ?? (card.approval === null ? null : `waiting for question ${card.approval}`);
    const place = card.place === null ? [] : [placeText(card.place)];
    const lines = [...place, ...(why === null ? [] : [why]), ...(card.route === null ? [] : [routeLine(card.route)])];
    return lines.map((line) => context.paint(`  ${card.id}: ${visibleLine(line)}`, 'faint'));
  });
  return [context.paint(TITLES[lane], 'strong'), ...table(titles, rows, width), ...reasons].join('\n');
}
