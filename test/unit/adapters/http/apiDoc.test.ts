/** docs/api.md tells every endpoint, refusal and event, and none that there is not. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_STATUSES } from '../../../../src/adapters/http/errors.ts';
import { API_LIMITS } from '../../../../src/adapters/http/limits.ts';
import { OPERATIONS } from '../../../../src/adapters/http/operations.ts';
import { TASK_EVENTS } from '../../../../src/shared/task/tasks.ts';

const text = readFileSync(new URL('../../../../docs/api.md', import.meta.url), 'utf8');
const told = (form: RegExp): string[] => [...text.matchAll(form)].map(([, cell = '']) => cell);

it('has each endpoint, refusal and event', () => {
  const endpoints = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
  expect(told(/^\| `((?:GET|POST) [^`]+)`/gm).sort()).toEqual(
    [...endpoints, 'GET /healthz', 'GET /openapi.json'].sort(),
  );
  expect(told(/^\| (\d{3}) /gm).map(Number)).toEqual(ERROR_STATUSES);
  expect(told(/^\| `(task:\w+)`/gm)).toEqual(TASK_EVENTS);
});

it('has the bounds as they are', () => {
  const { page, maxPage, bodyBytes, requestsPerSecond, listeners, backlogBytes, connections } = API_LIMITS;
  const seconds = (ms: number): number => ms / 1_000;
  for (const words of [
    `\`limit\` (${page}, at most ${maxPage})`,
    `more than ${bodyBytes / 1024 / 1024} MB`,
    `more than ${requestsPerSecond} requests a second (${2 * requestsPerSecond} at once), or ${listeners} listeners`,
    `at most ${backlogBytes / 1024} kB are buffered`,
    `nothing for ${seconds(API_LIMITS.stalledMs)} seconds`,
    `Pings come every ${seconds(API_LIMITS.pingMs)} seconds`,
    `within ${seconds(API_LIMITS.headersMs)} seconds, a request within ${seconds(API_LIMITS.requestMs)}`,
    `closed after ${seconds(API_LIMITS.keepAliveMs)}. At most ${connections} connections`,
  ]) {
    expect(text).toContain(words);
  }
});
