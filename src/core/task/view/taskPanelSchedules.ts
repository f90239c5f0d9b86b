/** Builds the schedules of the page, with their next times. */

import type { PanelSchedule } from '../../../shared/task/taskPanel.ts';
import type { ScheduleRow } from '../../../shared/task/tasks.ts';
import type { State } from '../../../shared/workspace/state.ts';
import { nextAt } from '../schedule.ts';

/** The next time is computed again only when it has passed, because finding it is slow. */
export function scheduleMaker(): (state: State, nowMs: number) => PanelSchedule[] {
  const made = new WeakMap<ScheduleRow, PanelSchedule>();
  return (state, nowMs) =>
    [...state.schedules.values()].map((row) => {
      const before = made.get(row);
      if (before !== undefined && (before.nextAt === null || Date.parse(before.nextAt) > nowMs)) return before;
      const { id, project_id: projectId, name, cron, time_zone: timeZone, enabled } = row;
      const view = { id, projectId, name, cron, timeZone, enabled, nextAt: enabled ? nextAt(row, nowMs) : null };
      made.set(row, view);
      return view;
    });
}
