/** Writes the request of a preview: the first one of a conversation, or the prompt of an external agent. */

import { BUILT_IN } from '../../../shared/agent/executors.ts';
import { firstWords } from '../../agent/ourTools.ts';
import type { SessionSpec } from '../../session/ports.ts';
import { firstRequest } from '../../session/request.ts';
import { toolDefinitions } from '../../session/tools/roleTools.ts';

export interface Preview {
  /** e.g. `worker for feature 3 "Parser"` */
  readonly describes: string;
  /** JSON text of the request's body. */
  readonly body: string;
}

export function request(describes: string, spec: SessionSpec, executor: string = BUILT_IN): Preview {
  if (executor === BUILT_IN) return { describes, body: JSON.stringify(firstRequest(spec, toolDefinitions(spec))) };
  return { describes: `${describes}, by ${executor}`, body: JSON.stringify(firstWords(spec)) };
}
