/** `task schedule …`: schedules, which create tasks repeatedly. */
import { need } from '../../core/state/rows.ts';
import { nextTimes } from '../../core/task/schedule.ts';
import type { RequestInput } from '../../engine/state/api.ts';
import type { OpenedEngine } from '../../engine/workspace/workspace.ts';
import type { ScheduleRow } from '../../shared/task/tasks.ts';
import { type Context, command, print, readOwned, withEngine } from '../screen/context.ts';
import { moment } from '../text/format.ts';
import { parseCount, parseId, usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { type Source, type SourceOptions, sourceOf } from './taskSource.ts';
import { keepOwner } from './tasks.ts';

export interface ScheduleOptions extends SourceOptions {
  readonly project?: string;
  readonly id?: string;
  readonly name?: string;
  readonly cron?: string;
  readonly timeZone?: string;
  readonly keep?: string;
  readonly on?: true;
  readonly off?: true;
}

const NEXT_SHOWN = 3;

export async function scheduleSetVerb(
  context: Context,
  file: string | undefined,
  options: ScheduleOptions,
): Promise<number> {
  if (options.on === true && options.off === true) throw usage('--on and --off exclude each other');
  const id = options.id === undefined ? undefined : parseId(options.id, 'schedule');
  const isMade = file !== undefined || options.template !== undefined;
  if (id === undefined && !isMade) throw usage('a new schedule needs a file, - for the input, or --template');
  if (id === undefined && options.cron === undefined)
    throw usage('a new schedule needs --cron', 'E.g. --cron "0 9 * * 1-5".');
  const source = isMade ? await sourceOf(context, file, options) : null;
  const { schedule, owner } = await withEngine(context, async (engine) => {
    const { scheduleId } = await engine.request('setSchedule', inputOf(engine, id, source, options));
    return { schedule: need(engine.state, 'schedules', scheduleId), owner: engine.owner };
  });
  const view = viewOf(context, schedule);
  const text = [`Schedule ${schedule.id} is set`, ...lines(context, view), ...(owner ? [ownerText(context)] : [])];
  print(context, { schedule: view }, text.join('\n'));
  return 0;
}

/** Options that are not given keep their values. */
function inputOf(
  { state }: OpenedEngine,
  id: number | undefined,
  source: Source | null,
  options: ScheduleOptions,
): RequestInput<'setSchedule'> {
  const before = id === undefined ? undefined : need(state, 'schedules', id);
  const made = source ?? { definition: before?.definition };
  const named = 'definition' in made ? made.definition?.name : made.template;
  return {
    ...(id === undefined ? {} : { id }),
    ...(options.project === undefined
      ? before === undefined
        ? {}
        : { project: before.project_id }
      : { project: options.project }),
    ...made,
    name: options.name ?? before?.name ?? named ?? '',
    cron: options.cron ?? before?.cron ?? '',
    timeZone: options.timeZone ?? before?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    enabled: options.on === true || (options.off !== true && (before?.enabled ?? true)),
    ...(options.keep === undefined
      ? before === undefined
        ? {}
        : { keep: before.keep }
      : { keep: parseCount(options.keep, '--keep', 1, 1_000) }),
  };
}

function viewOf({ deps }: Context, row: ScheduleRow) {
  const { id, project_id: projectId, name, cron, time_zone: timeZone, enabled, keep, last_due: lastDue } = row;
  const next = enabled ? nextTimes(row, deps.clock.now(), NEXT_SHOWN) : [];
  return { id, projectId, name, cron, timeZone, enabled, keep, lastDue, next };
}

function lines({ deps }: Context, view: ReturnType<typeof viewOf>): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const next = view.next.map((at) => `${moment(at, deps.clock)} (${here})`).join(', ');
  return [
    `  ${visibleLine(view.name)}, in project ${visibleLine(view.projectId)}`,
    `  When: ${view.cron} (${view.timeZone})`,
    `  Next: ${view.enabled ? (next === '' ? 'never' : next) : 'switched off'}`,
    ...(view.lastDue === null ? [] : [`  Last: ${moment(view.lastDue, deps.clock)}`]),
  ];
}

const ownerText = (context: Context): string =>
  `It comes while a process owns the workspace; what was missed comes once, later. ${keepOwner(context)}`;

export async function scheduleListVerb(context: Context): Promise<number> {
  const { state, owned } = await readOwned(context);
  const schedules = [...state.schedules.values()].map((row) => viewOf(context, row));
  const blocks = schedules.map((view) => [`Schedule ${view.id}`, ...lines(context, view)].join('\n'));
  const none = `There is no schedule. Make one: ${command(context, 'task schedule set <file> --cron "0 9 * * 1-5"')}`;
  const still = owned === false && schedules.some(({ enabled }) => enabled) ? [ownerText(context)] : [];
  print(context, { owned, schedules }, schedules.length === 0 ? none : [...blocks, ...still].join('\n'));
  return 0;
}

export async function scheduleRemoveVerb(context: Context, text: string): Promise<number> {
  const id = parseId(text, 'schedule');
  await withEngine(context, (engine) => engine.request('removeSchedule', { id }));
  print(context, { schedule: { id } }, `Schedule ${id} comes no more; its tasks stay.`);
  return 0;
}
