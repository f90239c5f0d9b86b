/** Jobs, their phases and features as a native tree. */
import * as vscode from 'vscode';
import { isAtWork, isOver, standsStill } from '../../core/job/view/jobStatus.ts';
import { type JobTree, jobTrees } from '../../core/job/view/jobTree.ts';
import { type Waits, waitsIn } from '../../core/job/view/waiting.ts';
import { BUILT_IN } from '../../shared/agent/executors.ts';
import type { Clock } from '../../shared/clock.ts';
import type { FeatureRow, JobRow, PhaseRow, PhaseStatus } from '../../shared/job/rows.ts';
import { DEFAULT_PROJECT, MAIN_PROJECT } from '../../shared/project/projects.ts';
import type { ProjectView } from '../../shared/project/projectView.ts';
import type { Waiting } from '../../shared/waiting.ts';
import type { State } from '../../shared/workspace/state.ts';
import { agentName } from '../agent/agentWords.ts';
import { shownProjects } from '../project/pickProject.ts';
import { projectIcon, standing } from '../project/projectTexts.ts';
import type { HostContext } from '../window/context.ts';
import type { CommandId } from '../words/commandList.ts';
import { plainWords } from '../words/plainWords.ts';
import type { TreeRows } from './lazyTree.ts';
import { isOnHold, waitWords } from './waitWords.ts';

/** The ids are what commands of the context menu look for. */
export type JobsNode =
  | { readonly kind: 'project'; readonly project: string }
  | { readonly kind: 'job'; readonly jobId: string }
  | { readonly kind: 'phase'; readonly phaseId: number }
  | { readonly kind: 'feature'; readonly featureId: number };

const UNDER_WAY: readonly PhaseStatus[] = ['executing', 'reviewing'];
/** Above this number of features, only running phases are expanded: the editor requests the rows of every expanded node. */
const MANY = 200;

const ICONS: Readonly<Record<string, readonly [icon: string, color: string | null]>> = {
  planning: ['sync~spin', null],
  running: ['sync~spin', null],
  executing: ['sync~spin', null],
  reviewing: ['eye', null],
  in_progress: ['sync~spin', null],
  awaiting_steward: ['bell-dot', 'list.warningForeground'],
  paused: ['debug-pause', null],
  waiting: ['clock', null],
  pending: ['circle-outline', null],
  completed: ['pass', 'testing.iconPassed'],
  failed: ['error', 'testing.iconFailed'],
  cancelled: ['circle-slash', null],
};

function icon(status: string): vscode.ThemeIcon {
  const [name, color] = ICONS[status] ?? ['circle-outline', null];
  return new vscode.ThemeIcon(name, color === null ? undefined : new vscode.ThemeColor(color));
}

function shownStatus(status: string): string {
  switch (status) {
    case 'planning':
      return vscode.l10n.t('Planning');
    case 'running':
      return vscode.l10n.t('Running');
    case 'executing':
    case 'in_progress':
      return vscode.l10n.t('In progress');
    case 'reviewing':
      return vscode.l10n.t('In review');
    case 'awaiting_steward':
      return vscode.l10n.t('Needs your input');
    case 'paused':
      return vscode.l10n.t('Paused');
    case 'waiting':
      return vscode.l10n.t('Waiting');
    case 'pending':
      return vscode.l10n.t('Pending');
    case 'completed':
      return vscode.l10n.t('Completed');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'cancelled':
      return vscode.l10n.t('Cancelled');
    default:
      return status;
  }
}

function projectTreeItem(view: ProjectView, hasJobs: boolean, now: number): vscode.TreeItem {
  const { name, status, parked, reason, goal, waiting } = view;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const over = status === 'completed' || status === 'archived';
  const item = new vscode.TreeItem(plainWords(name), !hasJobs ? None : over ? Collapsed : Expanded);
  item.id = `project:${name}`;
  item.description = standing(view);
  item.tooltip = plainWords(
    [name, goal, ...(isOnHold(waiting) ? [waitWords(waiting, now)] : reason === null ? [] : [reason])]
      .filter((line) => line !== '')
      .join('\n'),
  );
  item.iconPath = new vscode.ThemeIcon(
    projectIcon(view),
    parked ? new vscode.ThemeColor('list.warningForeground') : undefined,
  );
  item.contextValue = [
    `project:${status}`,
    ...(parked ? ['parked'] : []),
    ...(name === DEFAULT_PROJECT ? ['default'] : []),
  ].join(':');
  return item;
}

/** Whether a job or one of its parts has a running status although no process runs the job. */
interface Still {
  readonly still: boolean;
}

interface JobFacts extends Still {
  readonly waiting: Waiting | null;
  readonly now: number;
}

function jobItem(job: JobRow, { still, waiting, now }: JobFacts): vscode.TreeItem {
  const over = isOver(job);
  const item = new vscode.TreeItem(
    plainWords(job.title),
    over ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded,
  );
  item.id = `job:${job.id}`;
  const onHold = isOnHold(waiting);
  const status = still ? 'paused' : onHold && isAtWork(job) ? 'waiting' : job.status;
  const why = onHold ? [waitWords(waiting, now)] : job.reason === null ? [] : [job.reason];
  item.description = still ? vscode.l10n.t('Not running') : shownStatus(status);
  item.tooltip = plainWords([job.title, job.id, ...why].join('\n'));
  item.iconPath = icon(status);
  item.contextValue = over ? `job:over:${job.status}` : status === 'paused' ? 'job:paused' : 'job:active';
  return item;
}

/** Running statuses of a phase or a feature. */
const RUNS: readonly string[] = ['executing', 'reviewing', 'in_progress'];
const isStill = (status: string, { still }: Still): boolean => still && RUNS.includes(status);
const partText = (status: string, of: Still): string =>
  isStill(status, of) ? vscode.l10n.t('Not running') : shownStatus(status);
const partIcon = (status: string, of: Still): vscode.ThemeIcon => icon(isStill(status, of) ? 'paused' : status);

/** `open`: the phase shows its features without a click. */
function phaseItem(phase: PhaseRow, of: Still & { readonly open: boolean }): vscode.TreeItem {
  const item = new vscode.TreeItem(
    plainWords(`${phase.number}. ${phase.title}`),
    of.open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
  );
  item.id = `phase:${phase.id}`;
  item.description = partText(phase.status, of);
  item.tooltip = plainWords(phase.objective);
  item.iconPath = partIcon(phase.status, of);
  item.contextValue = `phase:${phase.status}`;
  return item;
}

/** `agents`: names of the agents that work on the feature. Empty for the built-in agent. */
function featureItem(feature: FeatureRow, of: Still & { readonly agents: readonly string[] }): vscode.TreeItem {
  const item = new vscode.TreeItem(plainWords(feature.name));
  item.id = `feature:${feature.id}`;
  const agents = of.agents.length === 0 ? [] : [of.agents.join(', ')];
  item.description = [partText(feature.status, of), ...agents].join(' · ');
  item.tooltip = plainWords(feature.failure_reason ?? feature.description);
  item.iconPath = partIcon(feature.status, of);
  item.contextValue = `feature:${feature.status}`;
  const show: CommandId = 'autonomous.openBoard';
  item.command = { command: show, title: vscode.l10n.t('Open Board'), arguments: [{ featureId: feature.id }] };
  return item;
}

export class JobsTree implements TreeRows<JobsNode> {
  readonly #context: HostContext;
  readonly #clock: Clock;
  readonly #treeOf = jobTrees();
  /** The projects at the last request for the top rows: the editor requests their rows right after it. */
  #projects: ReadonlyMap<string, ProjectView> = new Map();
  /** As of the last refresh. */
  #made: Waits | null = null;

  constructor(context: HostContext, clock: Clock) {
    this.#context = context;
    this.#clock = clock;
  }

  refresh(): void {
    this.#made = null;
  }

  get #waits(): Waits {
    this.#made ??= waitsIn(this.#state);
    return this.#made;
  }

  get #state(): State {
    return this.#context.engine.state;
  }

  get #tree(): JobTree {
    return this.#treeOf(this.#state);
  }

  /** The default project alone is shown only if it is suspended, to resume it there. */
  get #hasProjects(): boolean {
    return [...this.#state.projects.values()].some(
      ({ id, status }) => id !== MAIN_PROJECT && (id !== DEFAULT_PROJECT || status === 'suspended'),
    );
  }

  #top(): JobsNode[] {
    const views = shownProjects(this.#context);
    this.#projects = new Map(views.map((view) => [view.name, view]));
    return [...views]
      .sort((a, b) => Number(a.status === 'archived') - Number(b.status === 'archived'))
      .map(({ name }) => ({ kind: 'project', project: name }));
  }

  /** The newest first. */
  #jobs(fits: (job: JobRow) => boolean): JobsNode[] {
    const jobs = [...this.#state.jobs.values()].filter(fits).reverse();
    return jobs.map(({ id }) => ({ kind: 'job', jobId: id }));
  }

  getTreeItem(node: JobsNode): vscode.TreeItem {
    const row = this.#row(node);
    return row ?? new vscode.TreeItem('');
  }

  #row(node: JobsNode): vscode.TreeItem | undefined {
    if (node.kind === 'project') {
      const view = this.#projects.get(node.project);
      return view && projectTreeItem(view, view.jobs > 0, this.#clock.now());
    }
    if (node.kind === 'job') {
      const job = this.#state.jobs.get(node.jobId);
      if (job === undefined) return;
      return jobItem(job, { still: this.#isStill(job), waiting: this.#waits.job(job), now: this.#clock.now() });
    }
    if (node.kind === 'phase') {
      const phase = this.#state.phases.get(node.phaseId);
      const open = UNDER_WAY.includes(phase?.status ?? 'pending') || this.#state.features.size <= MANY;
      return phase && phaseItem(phase, { still: this.#isStill(this.#state.jobs.get(phase.job_id)), open });
    }
    const feature = this.#state.features.get(node.featureId);
    const job = this.#state.jobs.get(feature?.job_id ?? '');
    return feature && featureItem(feature, { still: this.#isStill(job), agents: this.#agentsOf(feature) });
  }

  #isStill(job: JobRow | undefined): boolean {
    return job !== undefined && standsStill(job, this.#context.engine.atWork);
  }

  #agentsOf({ executors, job_id }: FeatureRow): string[] {
    const { agents } = this.#context;
    const worker = job_id === null ? undefined : this.#state.jobs.get(job_id)?.options.executors?.worker;
    const names = executors ?? [worker ?? BUILT_IN];
    return names.every((name) => name === BUILT_IN) ? [] : names.map((name) => agentName(agents, name));
  }

  getChildren(node?: JobsNode): JobsNode[] {
    if (node === undefined) return this.#hasProjects ? this.#top() : this.#jobs(() => true);
    if (node.kind === 'project') return this.#jobs(({ project_id }) => project_id === node.project);
    if (node.kind === 'job') {
      return this.#tree.phasesOf(node.jobId).map(({ id }) => ({ kind: 'phase', phaseId: id }));
    }
    if (node.kind === 'phase') {
      return this.#tree.featuresOf(node.phaseId).map(({ id }) => ({ kind: 'feature', featureId: id }));
    }
    return [];
  }
}
