/** Whether what an owner said is done was there ever after. */
import type { Event } from '../../../src/shared/workspace/events.ts';
import type { Acknowledged } from '../kill/killDriver.ts';
import type { Logged } from '../state/eventFiles.ts';

const key = ({ epoch, seq }: Pick<Event, 'epoch' | 'seq'>): string => `event ${seq} of epoch ${epoch}`;

function bare(event: Event & { readonly mac?: string; readonly prev?: string }): string {
  const { mac: _mac, prev: _prev, ...told } = event;
  return JSON.stringify(told);
}

/** Events that a client heard of and that the log does not have, or has otherwise. */
export function lostEvents(log: readonly Logged[], told: readonly Event[]): string[] {
  const held = new Map(log.map((event) => [key(event), bare(event)]));
  return told.filter((event) => held.get(key(event)) !== bare(event)).map((event) => `${key(event)} (${event.type})`);
}

/** Numbers that are missing, or there twice. */
export function gaps(log: readonly Logged[]): string[] {
  return log.flatMap((event, at) => (event.seq === at + 1 ? [] : [`place ${at + 1} is ${key(event)}`])).slice(0, 3);
}

/** Answers to requests of which the log knows nothing. */
export function lostRequests(log: readonly Logged[], acknowledged: readonly Acknowledged[]): string[] {
  const done = new Set(log.flatMap(requestsOf));
  return acknowledged.map(({ what, id }) => `${what} ${id}`).filter((request) => !done.has(request));
}

function requestsOf(event: Logged): string[] {
  switch (event.type) {
    case 'brief_submitted':
      return [`job ${event.job.id}`];
    case 'project_created':
      return [`project ${event.project.id}`];
    case 'message_sent':
      return [`message ${event.message.id}`];
    case 'task_created':
      return [`task ${event.task.id}`];
    case 'approval_decided':
      return [`decision ${event.id}`];
    default:
      return [];
  }
}
