/** Handles the steward's requests about schedules. */
import { need } from '../../../core/state/rows.ts';
import { nextAt } from '../../../core/task/schedule.ts';
import { failure } from '../../../shared/errors.ts';
import type { ProjectRow } from '../../../shared/project/projects.ts';
import type { EngineRequests } from '../../job/requests/ports.ts';
import { refuseProblems, type TaskRequestPorts } from './requestPorts.ts';

/** A higher number is probably a mistake. */
const MOST_SCHEDULES = 200;

export function scheduleRequests(
  { store, clock, made, problemsOf, ready }: TaskRequestPorts,
  projectOf: (id: string) => Promise<ProjectRow>,
): Pick<EngineRequests, 'setSchedule' | 'removeSchedule'> {
  return {
    setSchedule: async (input) => {
      const { name, cron, timeZone: time_zone, enabled, keep } = input;
      const next = nextAt({ cron, time_zone }, clock.now());
      const definition = await made(input);
      refuseProblems('tasks of this schedule could not start', problemsOf(definition.steps));
      if (enabled) {
        await ready('tasks of this schedule cannot start', definition, store.state.projects.get(input.project));
      }
      if (input.id !== undefined) need(store.state, 'schedules', input.id);
      else if (store.state.schedules.size >= MOST_SCHEDULES) {
        throw failure('NOT_PERMITTED', `there are ${MOST_SCHEDULES} schedules: no more are made`, {
          hint: 'Remove some.',
        });
      }
      const { id: project_id } = await projectOf(input.project);
      const [id = 0] = input.id === undefined ? store.nextIds('schedules', 1) : [input.id];
      const schedule = { id, project_id, name, cron, time_zone, definition, enabled, keep };
      await store.commit({ type: 'schedule_set', schedule, by: 'steward' });
      return { scheduleId: id, nextAt: enabled ? next : null };
    },
    removeSchedule: async ({ id }) => {
      await store.commit({ type: 'schedule_removed', id, by: 'steward' });
      return null;
    },
  };
}
