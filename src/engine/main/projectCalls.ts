/** Tools about projects and their life. */

import { isOwnConnection, splitModel } from '../../core/model/modelName.ts';
import { bookingDay } from '../../core/money/budget.ts';
import { isPriced } from '../../core/money/price/unpriced.ts';
import { spentText } from '../../core/money/view/spent.ts';
import { usd } from '../../core/money/view/usd.ts';
import { isAwaiting } from '../../core/project/projectAfter.ts';
import { projectViews, spentInAll, spentToday } from '../../core/project/projectView.ts';
import { need } from '../../core/state/rows.ts';
import { failure } from '../../shared/errors.ts';
import { MAIN_PROJECT, type ProjectRow } from '../../shared/project/projects.ts';
import type { ProjectView } from '../../shared/project/projectView.ts';
import type { MainToolInput } from '../../shared/workspace/mainTools.ts';
import { listed, quoted } from '../session/quoted.ts';
import type { MainAgentTools } from './mainAgentTools.ts';

export function projectLine(view: ProjectView): string {
  const { name, status, doing, reason, workdir } = view;
  const waits = view.parked && isAwaiting(reason) ? reason : null;
  const parts = [
    `- ${name}: ${waits ?? `${status}${view.parked ? ' but parked' : ''}, ${doing}`}`,
    view.jobs === 0 ? 'no job yet' : `${view.liveJobs} open of ${view.jobs} job${view.jobs === 1 ? '' : 's'}`,
    `${spentText(spentToday(view), usd)} today`,
    `${spentText(spentInAll(view), usd)} in all`,
    ...(view.unread > 0 ? [`${view.unread} unread by the steward`] : []),
    ...(view.questions > 0 ? [`${view.questions} question${view.questions === 1 ? '' : 's'} to the steward`] : []),
    ...(workdir === null ? [] : [`works on ${quoted(workdir)}`]),
    ...(reason === null || reason === '' || waits !== null ? [] : [`because ${quoted(reason)}`]),
    ...(view.goal === '' ? [] : [`goal ${quoted(view.goal)}`]),
  ];
  return parts.join('; ');
}

/** A new project uses the main agent's model if that needs no key, because there may be none. */
function answeredAs(main: ProjectRow | undefined): Partial<Pick<ProjectRow, 'provider' | 'scenario' | 'model'>> {
  if (main === undefined) return {};
  const { provider, scenario, model } = main;
  // Neither has a default model: a provider without prices, and a connection of the user.
  const { connection } = splitModel(model ?? '', provider);
  if (!isPriced(provider) || isOwnConnection(connection)) return { provider, model };
  return provider === 'simulated' ? { provider, scenario } : {};
}

export const projectCalls = {
  create_project: async (tools: MainAgentTools, input: MainToolInput<'create_project'>) => {
    const { template, workdir, model, day_usd: dayUsd, total_usd: totalUsd, heartbeat, ...parts } = input;
    if (heartbeat !== undefined && dayUsd === undefined) {
      throw failure('INVALID_INPUT', 'a heartbeat needs day_usd: it costs money without a request');
    }
    const limits = {
      ...(dayUsd === undefined ? {} : { dayMicroUsd: Math.round(dayUsd * 1e6) }),
      ...(totalUsd === undefined ? {} : { totalMicroUsd: Math.round(totalUsd * 1e6) }),
    };
    const { project } = await tools.request('createProject', {
      ...parts,
      template: template ?? null,
      ...(workdir === undefined ? {} : { workdir }),
      ...answeredAs(tools.state.projects.get(MAIN_PROJECT)),
      ...(model === undefined ? {} : { model }),
      limits,
      ...(heartbeat === undefined ? {} : { heartbeat }),
      by: 'main',
    });
    const { parked } = need(tools.state, 'projects', project);
    if (isAwaiting(parked)) return `Project ${project} exists, and ${parked}. Messages to it are kept until then.`;
    return `Project ${project} exists. It starts when it gets a message or a brief.`;
  },

  list_projects: async (tools: MainAgentTools, { status: wanted }: MainToolInput<'list_projects'>) => {
    const today = bookingDay(tools.state.meta.last_day, tools.clock.now());
    const shown = projectViews(tools.state, today).filter(({ status }) =>
      wanted === undefined ? status !== 'archived' : status === wanted,
    );
    return listed(
      shown.map(projectLine),
      wanted === undefined ? 'There is no project yet.' : `No project is ${wanted}.`,
    );
  },

  suspend_project: async (tools: MainAgentTools, { name: project, reason = '' }: MainToolInput<'suspend_project'>) => {
    await tools.request('suspendProject', { project, reason, by: 'main' });
    return `Project ${project} is suspended.`;
  },

  resume_project: async (tools: MainAgentTools, { name: project }: MainToolInput<'resume_project'>) => {
    await tools.request('resumeProject', { project, by: 'main' });
    const parked = need(tools.state, 'projects', project).parked;
    return parked === null
      ? `Project ${project} is active again.`
      : `Project ${project} is active again, but none of its work runs: ${quoted(parked)}`;
  },

  complete_project: async (
    tools: MainAgentTools,
    { name: project, reason = '' }: MainToolInput<'complete_project'>,
  ) => {
    await tools.request('completeProject', { project, reason, by: 'main' });
    return `Project ${project} is completed.`;
  },

  archive_project: async (tools: MainAgentTools, { name: project }: MainToolInput<'archive_project'>) => {
    await tools.request('archiveProject', { project, by: 'main' });
    return `Project ${project} is archived.`;
  },
};
