/** `project list` and `project show`: projects and their state. */

import { spentText } from '../../core/money/view/spent.ts';
import { asItRuns, projectViews, spentInAll, spentToday } from '../../core/project/projectView.ts';
import { need } from '../../core/state/rows.ts';
import { failure } from '../../shared/errors.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT, type ProjectLimits, type ProjectRow } from '../../shared/project/projects.ts';
import { type ProjectView, untouchedProject } from '../../shared/project/projectView.ts';
import { type Context, columns, command, print, readOwned } from '../screen/context.ts';
import { stillWord } from '../screen/standing.ts';
import { waitingText, waitLines } from '../screen/waiting.ts';
import { executorsText } from '../text/executors.ts';
import { dollars, dollarsOrNone, localDay, moment, plural } from '../text/format.ts';
import { spentColumns } from '../text/spentColumns.ts';
import { table } from '../text/table.ts';
import { indented, visibleLine } from '../text/visible.ts';

/** Every workspace has a project called `default` without asking. */
const UNTOUCHED = untouchedProject(DEFAULT_PROJECT, '');

export interface ListOptions {
  readonly all?: true;
}

export async function projectListVerb(context: Context, options: ListOptions = {}): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  const known = projectViews(state, localDay(context.deps.clock)).map((view) => asItRuns(state, view, atWork));
  const every = known.some(({ name }) => name === DEFAULT_PROJECT) ? known : [UNTOUCHED, ...known];
  const shown = every.filter(({ status }) => options.all === true || status !== 'archived');
  const projects = shown.map((view) => ({ id: view.name, ...view }));
  const archived = every.length - shown.length;
  const more = archived === 0 ? [] : [`${plural(archived, 'archived project')} not shown: --all`];
  const still = shown.some(standsStill)
    ? [`No process works on some of these projects now. Resume: ${command(context, 'chat')}`]
    : [];
  print(
    context,
    { owned, projects },
    context.json
      ? ''
      : [...listTable(context, shown, owned), ...waitLines(context, shown.map(waitOf)), ...more, ...still].join('\n'),
  );
  return 0;
}

/** Whether the project may run and has something to do, and no process works on it. */
const standsStill = ({ doing, status, parked }: ProjectView): boolean =>
  doing === 'stopped' && status === 'active' && !parked;
const doingText = (view: ProjectView, owned: boolean | null): string =>
  standsStill(view) ? stillWord(owned) : view.doing;
const waitOf = (view: ProjectView) => ({
  subject: { of: 'project', id: view.name, projectId: view.name } as const,
  waiting: view.waiting,
});
const statusText = ({ status, parked }: ProjectView): string => (parked ? 'parked' : status);
const countText = (count: number): string => (count === 0 ? '' : String(count));

function listTable(context: Context, views: readonly ProjectView[], owned: boolean | null): string[] {
  const money = spentColumns('TODAY', views.map(spentToday));
  const cells = views.map((view) => [
    visibleLine(view.name),
    statusText(view),
    doingText(view, owned),
    countText(view.unread),
    ...money.cells(spentToday(view)),
    countText(view.questions),
    view.jobs === 0 ? '' : `${view.liveJobs}/${view.jobs}`,
  ]);
  const titles = [
    { title: 'PROJECT', gives: true },
    { title: 'STATUS' },
    { title: 'DOING' },
    { title: 'UNREAD', align: 'right' as const },
    ...money.columns,
    { title: 'ASKS', align: 'right' as const, optional: true },
    { title: 'JOBS', align: 'right' as const, optional: true },
  ];
  return table(titles, cells, columns(context));
}

export async function projectShowVerb(context: Context, name: string): Promise<number> {
  const { state, owned, atWork } = await readOwned(context);
  if (name === MAIN_PROJECT) {
    const hint = `Talk to it: ${command(context, 'chat')}`;
    throw failure('NOT_FOUND', `${name} is the main agent, and no project of yours`, { hint });
  }
  const row = need(state, 'projects', name);
  const found = projectViews(state, localDay(context.deps.clock)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`project ${name} has no view`);
  const view = asItRuns(state, found, atWork);
  const { body, limits, heartbeat, idleMinutes, provider, executors, trusted_workdir: trustedWorkdir } = row;
  const definition = { body, limits, heartbeat, idleMinutes, provider, executors, trustedWorkdir };
  print(
    context,
    { owned, project: { id: name, ...view, ...definition } },
    context.json ? '' : showText(context, view, definition, doingText(view, owned)),
  );
  return 0;
}

function showText(
  context: Context,
  view: ProjectView,
  { body, limits, provider, executors }: Pick<ProjectRow, 'body' | 'limits' | 'provider' | 'executors'>,
  doing: string,
): string {
  const { clock } = context.deps;
  const lines = [
    context.paint(`Project ${visibleLine(view.name)}: ${statusText(view)}, ${doing}`, 'strong'),
    ...(view.reason === null || view.reason === '' ? [] : [`  Why:      ${visibleLine(view.reason)}`]),
    ...(view.waiting === null ? [] : [`  Waiting:  ${waitingText(context, view.waiting, waitOf(view).subject)}`]),
    `  Jobs:     ${view.jobs === 0 ? 'none' : `${view.liveJobs} open of ${view.jobs}`}`,
    ...(view.questions === 0
      ? []
      : [`  Waiting:  for you, ${plural(view.questions, 'question')}: ${command(context, 'approvals')}`]),
    ...(view.unread === 0 ? [] : [`  Messages: ${plural(view.unread, 'unread message')}`]),
    `  Cost:     ${spentText(spentToday(view), dollars)} today; ${spentText(spentInAll(view), dollars)} in all`,
    `  Limits:   ${limitsText(limits)}`,
    `  Answers:  ${provider}${view.model === null ? '' : `, ${visibleLine(view.model)}`}`,
    ...(executors === null ? [] : [`  Agents:   ${executorsText(executors)}`]),
    ...(view.workdir === null ? [] : [`  Works on: ${visibleLine(view.workdir)}`]),
    `  Created:  ${moment(view.createdAt, clock)}, last message or job ${moment(view.lastAt, clock)}`,
    '',
    body.trim() === '' ? `  It has no goal yet: ${command(context, `project edit ${view.name}`)}` : indented(body),
    '',
    `Its messages: ${command(context, `project messages ${view.name}`)}`,
  ];
  return lines.join('\n');
}

export function limitsText({ dayMicroUsd, totalMicroUsd, tokens, toolCalls }: ProjectLimits): string {
  const usd = (micro: number | null): string => dollarsOrNone(micro === null ? null : micro / 1e6);
  const count = (most: number | null): string => (most === null ? 'none' : String(most));
  if ([dayMicroUsd, totalMicroUsd, tokens, toolCalls].every((most) => most === null)) return 'none';
  return `${usd(dayMicroUsd)} a day, ${usd(totalMicroUsd)} in all, tokens ${count(tokens)}, tool calls ${count(toolCalls)}`;
}
