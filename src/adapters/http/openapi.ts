/** Builds the OpenAPI document from the operations and from the schemas that validate requests. OpenAPI 3.1 uses JSON Schema as zod writes it. */
import { z } from 'zod';
import {
  etaSchema,
  stepViewSchema,
  taskDetailsSchema,
  taskEventSchema,
  taskLogSchema,
  taskProgressSchema,
  taskReportSchema,
  taskSummarySchema,
} from '../../shared/task/taskApi.ts';
import { stepSchema } from '../../shared/task/tasks.ts';
import * as bodies from './bodies.ts';
import { type ErrorStatus, errorSchema } from './errors.ts';
import { OPERATIONS, type Operation } from './operations.ts';

/** Schemas of requests and answers, by their names in the document. */
const REQUESTS = {
  Nothing: bodies.nothingSchema,
  Reason: bodies.reasonSchema,
  ResumeRequest: bodies.resumeSchema,
  StepDefinition: stepSchema,
  StepsRequest: bodies.newStepsSchema,
  TaskRequest: bodies.newTaskSchema,
} as const;
const ANSWERS = {
  DefinedTask: bodies.definedTaskSchema,
  Error: errorSchema,
  Eta: etaSchema,
  Health: bodies.healthSchema,
  Step: stepViewSchema,
  Task: taskDetailsSchema,
  TaskEvent: taskEventSchema,
  TaskLog: taskLogSchema,
  TaskPage: bodies.taskPageSchema,
  TaskProgress: taskProgressSchema,
  TaskReport: taskReportSchema,
  TaskSummary: taskSummarySchema,
} as const;

const REFUSALS: Record<ErrorStatus, string> = {
  400: 'The request is invalid; `problems` lists every error',
  401: 'No token, or another one',
  403: 'Another host name or origin than those that may ask, or not permitted',
  404: 'There is no such thing',
  405: 'Not by this method',
  409: 'Not as things are: an illegal transition, for instance',
  413: 'The body is too large',
  415: 'The body is not application/json',
  429: 'Too many requests at once; try again in a second',
  500: 'A fault of the server; see its log for details',
  503: 'No process works on this workspace now, or it cannot be written; try again',
};

const OF_ALL: readonly ErrorStatus[] = [401, 403, 429, 500, 503];
const OF_A_BODY: readonly ErrorStatus[] = [413, 415];

type Json = Record<string, unknown>;

const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: Json): Json => ({ 'application/json': { schema } });
const refusal = (status: ErrorStatus): [string, Json] => [
  String(status),
  { description: REFUSALS[status], content: content(ref('Error')) },
];

export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: described(operation) };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Autonomous: long-running tasks',
      version,
      description: 'Served on the loopback alone. Live events come over a WebSocket: see docs/api.md.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: { ...paths, '/healthz': { get: HEALTH }, '/openapi.json': { get: DOCUMENT } },
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { ...components(REQUESTS, 'input'), ...components(ANSWERS, 'output') },
    },
  };
}

/** Refusals that an operation may answer with. */
function refusalsOf({ body, refusals }: Operation): readonly ErrorStatus[] {
  return [...new Set([400 as const, ...OF_ALL, ...(body === null ? [] : OF_A_BODY), ...refusals])].sort(
    (a, b) => a - b,
  );
}

function described(operation: Operation): Json {
  const { id, summary, path, body, status, answer } = operation;
  const ofPath = path.includes('{taskId}')
    ? [{ name: 'taskId', in: 'path', required: true, schema: { type: 'string', minLength: 1 } }]
    : [];
  return {
    operationId: id,
    summary,
    parameters: [...ofPath, ...queryParameters(operation.query)],
    ...(body === null ? {} : { requestBody: { required: isRequired(body), content: content(refTo(REQUESTS, body)) } }),
    responses: Object.fromEntries([
      [String(status), { description: 'Done', content: content(refTo(ANSWERS, answer)) }],
      ...refusalsOf(operation).map(refusal),
    ]),
  };
}

const isRequired = (body: z.ZodType): boolean => !body.safeParse({}).success;

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = withAnyJson(
    z.toJSONSchema(query, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) }),
  ) as {
    readonly properties?: Record<string, Json>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

type Named = Readonly<Record<string, z.ZodType>>;

function refTo(schemas: Named, wanted: z.ZodType): Json {
  const name = Object.keys(schemas).find((key) => schemas[key] === wanted);
  if (name === undefined) throw new Error('a schema of an operation has no name in the document');
  return ref(name);
}

function components(schemas: Named, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const made = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return Object.fromEntries(Object.keys(schemas).map((id) => [id, withAnyJson(made.schemas[id] ?? {})]));
}

/** Removes digits and patterns that repeat `integer` and `date-time`. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

/** The only recursive schema is that of any JSON: the empty schema means the same, without a reference beyond the document. */
function withAnyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withAnyJson);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value && String(value.$ref).includes('/$defs/')) return {};
  const parts = Object.entries(value).filter(([name]) => !['$schema', '$id', '$defs'].includes(name));
  return Object.fromEntries(parts.map(([name, part]) => [name, withAnyJson(part)]));
}

const HEALTH = {
  operationId: 'getHealth',
  summary: 'Whether the server is running; needs no token',
  security: [],
  responses: Object.fromEntries([['200', { description: 'It is', content: content(ref('Health')) }], refusal(403)]),
};

const DOCUMENT = {
  operationId: 'getOpenApi',
  summary: 'This document',
  responses: Object.fromEntries([
    ['200', { description: 'Done', content: content({ type: 'object' }) }],
    ...([401, 403, 429] as const).map(refusal),
  ]),
};
