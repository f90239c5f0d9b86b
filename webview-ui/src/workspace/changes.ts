/** Describes the changes between two snapshots, for screen readers. Pure. */

import type { PanelView } from '../../../src/shared/workspace/panel.ts';
import { plural, t } from '../store/l10n.ts';
import { taskLook } from '../task/taskFacts.ts';
import { visible } from '../ui/text/format.ts';
import { conversationName, laneLabel } from '../ui/text/labels.ts';
import { apart } from '../ui/text/waitFacts.ts';

/** Maximum length of an announced message, characters. */
const HEARD = 200;

/** Maximum number of changes that are named. More are only counted. */
const NAMED = 3;

/** New messages of a project: in full if its conversation is shown, else only that there are some. */
function said(before: PanelView, after: PanelView): string[] {
  const shown = after.conversation?.project;
  const last = before.conversation?.project === shown ? (before.conversation?.messages.at(-1)?.id ?? 0) : null;
  const news = last === null ? [] : (after.conversation?.messages ?? []).filter(({ id }) => id > last);
  const heard = news
    .filter(({ direction }) => direction === 'out')
    .map(({ text }) => t('{0} says: {1}', conversationName(shown ?? ''), visible(text.slice(0, HEARD))));
  const were = new Map(before.projects.map((project) => [project.name, project]));
  const others = after.projects.flatMap((project) => {
    const was = were.get(project.name);
    if (was === undefined || was === project) return [];
    if (project.parked && !was.parked)
      return [t('{0} is parked: {1}', conversationName(project.name), visible(project.reason ?? ''))];
    if (project.unread <= was.unread || project.name === shown) return [];
    return [t('{0} has sent a message.', conversationName(project.name))];
  });
  return [...heard, ...others].slice(0, NAMED);
}

/** Questions are announced separately. */
function ofTasks(before: PanelView, after: PanelView): string[] {
  const were = new Map(before.tasks.map(({ id, status }) => [id, status]));
  const moved = after.tasks.filter(({ id, status }) => were.has(id) && were.get(id) !== status);
  if (moved.length > NAMED)
    return [plural(moved.length, { one: '{0} task has progressed.', other: '{0} tasks have progressed.' })];
  return moved.map((task) =>
    t('{0}: {1}.', visible(task.name), taskLook({ ...task, questions: 0, waiting: null }).label),
  );
}

/** Waits that started or ended. Questions are announced separately. */
function ofWaits(before: PanelView, after: PanelView): string[] {
  const waitsIn = ({ jobs, tasks, projects }: PanelView) => [
    ...jobs.map(({ id, title, waiting }) => ({ id, name: visible(title), waiting: apart(waiting) })),
    ...tasks.map(({ id, name, waiting }) => ({ id, name: visible(name), waiting: apart(waiting) })),
    // The wait of a project with jobs may be that of one of its jobs.
    ...projects
      .filter(({ liveJobs, parked }) => liveJobs === 0 && !parked)
      .map(({ name, waiting }) => ({ id: `project ${name}`, name: conversationName(name), waiting: apart(waiting) })),
  ];
  const were = new Map(waitsIn(before).map(({ id, waiting }) => [id, waiting]));
  const told = waitsIn(after).flatMap(({ id, name, waiting }) => {
    const was = were.get(id);
    if (was === undefined || was?.code === waiting?.code) return [];
    return [waiting === null ? t('{0} continues.', name) : t('{0} is waiting: {1}', name, visible(waiting.reason))];
  });
  return told.slice(0, NAMED);
}

export function changes(before: PanelView, after: PanelView): string[] {
  const lanes = new Map(before.cards.map(({ id, lane }) => [id, lane]));
  const moved = after.cards.filter(({ id, lane }) => lanes.has(id) && lanes.get(id) !== lane);
  const known = new Set(before.approvals.map(({ id }) => id));
  const asked = after.approvals.filter(({ id, settledBy }) => !known.has(id) && settledBy === undefined);
  const questions =
    asked.length > NAMED
      ? [
          plural(asked.length, {
            one: '{0} new question needs your answer.',
            other: '{0} new questions need your answer.',
          }),
        ]
      : asked.map(({ question }) => t('A question needs your answer: {0}', visible(question)));
  const moves =
    moved.length > NAMED
      ? [plural(moved.length, { one: '{0} card moved.', other: '{0} cards moved.' })]
      : moved.map(({ name, lane }) => t('{0}: {1}.', visible(name), laneLabel(lane)));
  return [...questions, ...said(before, after), ...ofTasks(before, after), ...ofWaits(before, after), ...moves];
}
