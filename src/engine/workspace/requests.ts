/** Handles the steward's requests: each is checked against the state and causes an event. Runs in the owner alone. */
import { failure } from '../../shared/errors.ts';
import { boardRequests } from '../job/requests/board.ts';
import { jobRequests } from '../job/requests/jobs.ts';
import type {
  EngineRequests,
  FileRequestName,
  ProjectRequestName,
  RequestPorts,
  TaskRequestName,
} from '../job/requests/ports.ts';
import { resultRequests } from '../job/requests/results.ts';
import { stewardRequests } from '../job/requests/steward.ts';
import { tryNowRequest } from '../job/requests/tryNow.ts';
import { REQUESTS, type RequestAnswer, type RequestName } from '../state/api.ts';

/** The entry point of all surfaces. Validates the input of every client. */
export async function handleRequest<N extends RequestName>(
  requests: EngineRequests,
  name: N,
  input: unknown,
): Promise<RequestAnswer<N>> {
  const parsed = REQUESTS[name].safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw failure(
      'INVALID_INPUT',
      `${name}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not right'}`.replace('  ', ' '),
    );
  }
  const request = requests[name] as (of: unknown) => Promise<RequestAnswer<N>>;
  return request(parsed.data);
}

/** All requests except those about projects, tasks and files. */
export function requestTable(
  ports: RequestPorts,
): Omit<EngineRequests, FileRequestName | ProjectRequestName | TaskRequestName> {
  return {
    ...jobRequests(ports),
    ...resultRequests(ports),
    ...stewardRequests(ports),
    ...boardRequests(ports),
    ...tryNowRequest(ports),
  };
}
