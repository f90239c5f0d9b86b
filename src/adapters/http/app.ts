/**
 * Defines the routes: the caller is checked first, then the rate, then the input; only then is anything read or
 * changed.
 */
import { type Context, Hono, type Next } from 'hono';
import { cors } from 'hono/cors';
import type { TaskService } from '../../engine/task/ask/apiPorts.ts';
import type { Clock } from '../../shared/clock.ts';
import { findFailure } from '../../shared/errors.ts';
import { errorBody, type Refusal, refusalOf } from './errors.ts';
import { type Rules, strangerRefusal, tokenRefusal } from './guard.ts';
import { parsed, readBody, readQuery } from './input.ts';
import type { ApiLimits } from './limits.ts';
import { openApiDocument } from './openapi.ts';
import { OPERATIONS, type Operation } from './operations.ts';

export interface AppPorts {
  readonly service: TaskService;
  readonly clock: Clock;
  readonly version: string;
  readonly rules: Rules;
  readonly limits: ApiLimits;
  /** Whether one more request is within the rate. */
  mayAsk(): boolean;
  /** Logs an internal fault: the client only learns that there was one. */
  failed(thrown: unknown): void;
}

export const TOO_MANY: Refusal = {
  status: 429,
  code: 'TOO_MANY',
  message: 'too many requests at once',
  hint: 'Try again in a second.',
};
const FAULT: Refusal = {
  status: 500,
  code: 'INTERNAL',
  message: 'the server failed at this',
  hint: 'See its log for details.',
};

export function apiApp(ports: AppPorts): Hono {
  const app = new Hono();
  app.use(withHeaders);
  app.use((c, next) => fromHere(c, next, ports.rules));
  // Without a token: any page can call it, so it returns nothing else and uses no engine.
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.use((c, next) => withToken(c, next, ports));
  app.get('/openapi.json', (c) => c.json(openApiDocument(ports.version)));
  for (const operation of OPERATIONS) {
    const path = operation.path.replace('{taskId}', ':taskId');
    app.on(operation.method, path, (c) => carryOut(c, operation, ports));
  }
  for (const path of new Set([...OPERATIONS.map((operation) => operation.path), '/healthz', '/openapi.json'])) {
    app.all(path.replace('{taskId}', ':taskId'), (c) => notAllowed(c, path));
  }
  app.notFound((c) => refuse(c, { status: 404, code: 'NOT_FOUND', message: 'there is no such path here' }));
  app.onError((thrown, c) => {
    const known = findFailure(thrown);
    if (known !== undefined && known.code !== 'INTERNAL') return refuse(c, refusalOf(known));
    ports.failed(thrown);
    return refuse(c, FAULT);
  });
  return app;
}

function refuse(c: Context, refusal: Refusal): Response {
  // The rest of the body is not read: the connection ends with the answer.
  if (refusal.status === 413) c.header('Connection', 'close');
  if (refusal.status === 401) c.header('WWW-Authenticate', 'Bearer');
  if (refusal.status === 429 || refusal.status === 503) c.header('Retry-After', '1');
  return c.json(errorBody(refusal), refusal.status);
}

async function withHeaders(c: Context, next: Next): Promise<void> {
  await next();
  c.header('Cache-Control', 'no-store');
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Content-Security-Policy', "default-src 'none'");
}

async function fromHere(c: Context, next: Next, rules: Rules): Promise<Response | undefined> {
  const origin = c.req.header('origin');
  const refusal = strangerRefusal({ host: c.req.header('host'), origin }, rules);
  if (refusal !== null) return refuse(c, refusal);
  if (origin === undefined) {
    await next();
    return undefined;
  }
  // An allowed page: its browser sends a preflight request before the token.
  const allow = cors({ origin, allowMethods: ['GET', 'POST'], allowHeaders: ['Authorization', 'Content-Type'] });
  return (await allow(c, next)) ?? undefined;
}

async function withToken(c: Context, next: Next, { rules, mayAsk }: AppPorts): Promise<Response | undefined> {
  const caller = { authorization: c.req.header('authorization') };
  const refusal = tokenRefusal(caller, rules) ?? (mayAsk() ? null : TOO_MANY);
  if (refusal !== null) return refuse(c, refusal);
  await next();
  return undefined;
}

async function carryOut(c: Context, operation: Operation, ports: AppPorts): Promise<Response> {
  const query = parsed(operation.query, readQuery(new URL(c.req.url).searchParams), 'query');
  if ('refusal' in query) return refuse(c, query.refusal);
  const body =
    operation.body === null
      ? { value: null }
      : parsed(operation.body, await readBody(c, ports.limits.bodyBytes), 'body');
  if ('refusal' in body) return refuse(c, body.refusal);
  const input = { taskId: c.req.param('taskId') ?? '', query: query.value, body: body.value };
  return c.json(await operation.run(ports, input), operation.status);
}

function notAllowed(c: Context, path: string): Response {
  const methods: string[] = OPERATIONS.filter((operation) => operation.path === path).map(({ method }) => method);
  const allowed = methods.length === 0 ? ['GET'] : methods;
  c.header('Allow', allowed.join(', '));
  return refuse(c, {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: `this is asked for by ${allowed.join(' or ')}`,
  });
}
