/** What the conversation of a project asks of the owner. */
import type { EngineRequests } from '../../engine/job/requests/ports.ts';
import { conversationBriefs } from '../../engine/project/briefs.ts';
import { callJobTool } from '../../engine/project/jobTool.ts';
import { recall } from '../../engine/project/talk/recall.ts';
import type { Engine } from '../../engine/state/api.ts';
import type { Store } from '../../engine/state/store.ts';
import { conversationTasks } from '../../engine/task/ask/conversationTasks.ts';
import { handleRequest } from '../../engine/workspace/requests.ts';
import type { ThreadPoolOptions } from '../../engine/workspace/threads/threadPool.ts';
import type { Clock } from '../../shared/clock.ts';
import { mainTools } from './mainTools.ts';

interface Parts {
  readonly store: Store;
  readonly requests: EngineRequests;
  readonly clock: Clock;
  readonly stateDir: string;
}

type Tools = Pick<ThreadPoolOptions, 'submitBrief' | 'taskTool' | 'jobTool' | 'recall' | 'mainTool'>;

export function conversationTools({ store, requests, clock, stateDir }: Parts): Tools {
  const { state } = store;
  const request: Engine['request'] = (name, input) => handleRequest(requests, name, input);
  return {
    submitBrief: conversationBriefs(store, requests),
    taskTool: conversationTasks({ state, request, now: () => clock.now() }),
    jobTool: (projectId, input) => callJobTool({ state, request }, projectId, input),
    recall: (projectId, query) => recall(state, projectId, query),
    mainTool: mainTools(store, requests, clock, stateDir),
  };
}
